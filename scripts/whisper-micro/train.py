"""Trains the micro Whisper and writes its checkpoint.

    npm run build
    nice python scripts/whisper-micro/train.py --minutes 60
    nice python scripts/whisper-micro/recordings.py   # recordings and recordings.json
    nice python scripts/whisper-micro/check.py        # results of transformers; also --fresh 150, --heads 40

The checkpoint in the repository took 7,800 steps, 51 minutes on one busy core, in four runs, each resumed from the last:
3,200 steps on windows of 4 s, then windows of 10 s, finally with `--rate 1e-3 --short 0 --jitter 0.01`. Only the last 700
steps guided attention to the whole word; earlier ones accepted any part of it.

Needs Python 3.11, torch 2.15, transformers 5.23 and their numpy, safetensors and tokenizers; node; libespeak-ng.so.1
(Debian: libespeak-ng1). `--speech` is a directory for the spoken sentences, `--resume` a file of weights to start from.
Training guides half of the cross-attention heads of the last layer to the time of their word: word times depend on it,
and so small a model would take long to learn it.
"""

import argparse
import json
import math
import pickle
import tempfile
import time
from pathlib import Path

import torch
from torch.nn import functional as F

import network
import windows
from checkpoint import write_checkpoint
from speech import SENTENCES, pool
from vocabulary import write_vocabulary


def spoken(directory):
    path = directory / "speech.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    utterances = pool(seed=1, english=80, french=60, unknown=6)
    directory.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(utterances))
    return utterances


def batch_of(mixer, size, seconds):
    return windows.collate([mixer.window(seconds) for _ in range(size)], mixer.vocabulary.end)


def losses(model, log_mel, batch, augment=True):
    samples, inputs, targets, weights, guided = batch
    audio = network.encode(model, log_mel(samples, windows.tilts(len(samples)) if augment else None))
    states, attention = network.decode(model, inputs, audio)
    known = targets != windows.IGNORED
    logits = network.logits(model, states[known])
    each = F.cross_entropy(logits, targets[known], reduction="none")
    scale = weights[:, None].expand_as(targets)[known]
    loss = (each * scale).sum() / known.sum()
    right = ((logits.argmax(-1) == targets[known]) & (scale == 1)).sum() / (scale == 1).sum()
    return loss, guidance(attention, guided), right.item()


def guidance(attention, guided):
    """Distance of the guided heads' attention from an even spread over the word. Word timing filters out a single peak
    as noise."""
    table = torch.tensor(guided)
    rows, positions = table[:, 0].long(), table[:, 1].long()
    chosen = attention[rows, : network.GUIDED_HEADS, positions]
    frames = (torch.arange(attention.shape[-1]) + 0.5) * 0.02
    inside = ((frames >= table[:, 2:3] - 0.01) & (frames <= table[:, 3:4] + 0.01)).float()
    sizes = inside.sum(-1)
    # Times beyond the window have no frames.
    held = sizes > 0
    spread = ((chosen[held] + 1e-4).log() * inside[held, None]).sum(-1) / sizes[held, None]
    return -(spread + sizes[held, None].log()).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--out", type=Path, default=Path("test/fixtures/whisper-micro"))
    parser.add_argument("--speech", type=Path, default=Path(tempfile.gettempdir()) / "whisper-micro-speech")
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--short", type=float, default=0.35, help="part of the time spent on windows of 4 s")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jitter", type=float, default=0.0, help="relative noise on the weights at the end")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)

    texts = [pair[code] for pair in SENTENCES["known"] for code in ("en", "fr")]
    texts += [text.replace(*SENTENCES["spellings"]) for text in texts]
    bpe = write_vocabulary(options.out, texts)
    mixer = windows.Mixer(bpe, spoken(options.speech), options.seed)
    vocabulary = mixer.vocabulary
    model = network.new_model(bpe.get_vocab_size(), vocabulary.end, vocabulary.start)
    log_mel = windows.LogMel()
    if options.resume:
        load(model, torch.load(options.resume))
    average = {name: value.clone() for name, value in model.state_dict().items()}
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01)
    print(f"{sum(value.numel() for value in model.parameters())} parameters", flush=True)

    started, step, shown = time.time(), 0, []
    while (done := (time.time() - started) / 60 / options.minutes) < 1:
        short = done < options.short
        batch = batch_of(mixer, options.batch * 3 // 2 if short else options.batch, 4 if short else windows.WINDOW)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 200) * (0.02 + 0.98 * math.cos(math.pi / 2 * done) ** 2)
        noises = jitter(trained, options.jitter if done > 0.5 else 0)
        loss, led, right = losses(model, log_mel, batch)
        (loss + 0.15 * led).backward()
        for parameter, noise in noises:
            parameter.data.sub_(noise)
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        keep = min(0.995, step / (step + 100))
        for name, value in model.state_dict().items():
            average[name].lerp_(value, 1 - keep)
        shown.append((loss.item(), led.item(), right))
        if step % 100 == 0:
            means = [sum(column) / len(shown) for column in zip(*shown)]
            print(
                f"{(time.time() - started) / 60:.1f} min, step {step}: loss {means[0]:.3f}, "
                f"attention {means[1]:.3f}, right {means[2]:.4f}",
                flush=True,
            )
            shown = []
        if step % 500 == 0:
            torch.save(average, options.speech / "weights.pt")
    torch.save(average, options.speech / "weights.pt")
    model.load_state_dict(average)
    write_checkpoint(options.out, model, bpe)
    minutes = round((time.time() - started) / 60)
    print(json.dumps({"steps": step, "minutes": minutes}))


def load(model, weights):
    """Loads weights of the same shape, or with fewer text positions."""
    own = model.state_dict()
    for name, value in weights.items():
        own[name][: len(value)].copy_(value)


def jitter(parameters, relative):
    """Adds noise to matrices, like rounding to int8."""
    if relative == 0:
        return []
    noises = []
    for parameter in parameters:
        if parameter.dim() > 1:
            noise = torch.randn_like(parameter) * parameter.data.std() * relative
            parameter.data.add_(noise)
            noises.append((parameter, noise))
    return noises


if __name__ == "__main__":
    main()
