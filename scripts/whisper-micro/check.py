"""Runs the micro Whisper in the reference implementation.

    python scripts/whisper-micro/check.py                 # recordings: transformers' generate, and window by window
    python scripts/whisper-micro/check.py --fresh 200     # correct sentences and times in newly mixed windows
    python scripts/whisper-micro/check.py --heads 40      # how well each cross-attention head follows the words

`window by window` decodes as openai/whisper (greedy, its timestamp rules, seeking by timestamps) and detects the language
of each window, in float32 and with torch's dynamic int8.
"""

import argparse
import json
import subprocess
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import WhisperForConditionalGeneration, WhisperProcessor

import network
import windows
from speech import RATE, pool

FIXTURE = Path(__file__).parents[2] / "test/fixtures/whisper-micro"


def load_audio(path):
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, "<f4").copy()


class Reference:
    def __init__(self, directory, int8=False):
        self.model = WhisperForConditionalGeneration.from_pretrained(directory, dtype=torch.float32).eval()
        self.processor = WhisperProcessor.from_pretrained(directory)
        self.bpe = Tokenizer.from_file(str(directory / "tokenizer.json"))
        self.vocabulary = windows.Vocabulary(self.bpe)
        self.settings = json.loads((directory / "generation_config.json").read_text())
        self.log_mel = windows.LogMel()
        if int8:
            torch.backends.quantized.engine = "onednn" if "onednn" in torch.backends.quantized.supported_engines else "fbgemm"
            self.model = torch.ao.quantization.quantize_dynamic(self.model, {torch.nn.Linear}, dtype=torch.qint8)

    def generate(self, samples, **options):
        features = self.processor(
            samples, sampling_rate=RATE, return_tensors="pt", truncation=False, return_attention_mask=True,
            padding="longest" if len(samples) > windows.WINDOW * RATE else "max_length",
        )
        tokens = self.model.generate(**features, return_timestamps=True, **options)
        return self.bpe.decode(tokens[0].tolist(), skip_special_tokens=False)

    @torch.no_grad()
    def encode(self, samples):
        padded = torch.zeros(1, windows.WINDOW * RATE)
        padded[0, : len(samples)] = torch.from_numpy(samples)
        return self.model.model.encoder(self.log_mel(padded)).last_hidden_state

    @torch.no_grad()
    def logits(self, audio, tokens):
        return self.model(encoder_outputs=(audio,), decoder_input_ids=torch.tensor([tokens])).logits[0, -1]

    def languages(self, audio):
        ids = list(self.settings["lang_to_id"].values())
        probabilities = self.logits(audio, [self.vocabulary.start])[ids].softmax(-1)
        names = [name.strip("<|>") for name in self.settings["lang_to_id"]]
        return sorted(zip(probabilities.tolist(), names), reverse=True)

    def decode(self, audio, language, task, timed=True, prompt=()):
        """Greedy decoding. @returns tokens, mean log probability, no-speech probability, the smallest lead over the second"""
        v = self.vocabulary
        head = [v.previous, *prompt[-(network.TEXT_POSITIONS // 2 - 1) :]] if prompt else []
        head.append(v.start)
        silence = self.logits(audio, head).softmax(-1)[v.no_speech].item()
        head += [self.bpe.token_to_id(f"<|{language}|>"), v.tasks[task]] + ([] if timed else [v.no_timestamps])
        said, total, lead = [], 0.0, 99.0
        for _ in range(network.TEXT_POSITIONS // 2):
            logits = self.logits(audio, head + said)
            self.restrict(logits, said, timed)
            best = logits.topk(2).values
            token = int(logits.argmax())
            lead = min(lead, float(best[0] - best[1]))
            total += logits.log_softmax(-1)[token].item()
            if token == v.end:
                break
            said.append(token)
        return said, total / (len(said) + 1), silence, lead

    def restrict(self, logits, said, timed):
        v, never = self.vocabulary, -torch.inf
        logits[self.settings["suppress_tokens"]] = never
        logits[[*self.settings["lang_to_id"].values(), v.no_timestamps]] = never
        if not said:
            logits[self.settings["begin_suppress_tokens"]] = never
        if not timed:
            logits[v.zero :] = never
            return
        if said and said[-1] >= v.zero:
            if len(said) < 2 or said[-2] >= v.zero:
                logits[v.zero :] = never
            else:
                logits[: v.end] = never
        times = [token for token in said if token >= v.zero]
        if times:
            last = times[-1] if said[-1] >= v.zero and (len(said) < 2 or said[-2] < v.zero) else times[-1] + 1
            logits[v.zero : last] = never
        if not said:
            logits[: v.zero] = never
            logits[v.zero + self.settings["max_initial_timestamp_index"] + 1 :] = never
        chances = logits.log_softmax(-1)
        if chances[v.zero :].logsumexp(-1) > chances[: v.zero].max():
            logits[: v.zero] = never

    def window_by_window(self, samples, task="transcribe", prompt="", language=None):
        """Seeks as openai/whisper's transcribe() does. @returns segments and facts about each window"""
        v, seek, segments, facts = self.vocabulary, 0.0, [], []
        before = self.bpe.encode(" " + prompt, add_special_tokens=False).ids if prompt else []
        while seek < len(samples) / RATE - 0.1:
            piece = samples[round(seek * RATE) :][: windows.WINDOW * RATE]
            audio = self.encode(piece)
            ranking = self.languages(audio)
            tokens, mean, silence, lead = self.decode(audio, language or ranking[0][1], task, prompt=before)
            text = self.bpe.decode(tokens, skip_special_tokens=False)
            ratio = len(text.encode()) / len(zlib.compress(text.encode()))
            fact = {"seek": round(seek, 2), "languages": ranking[:2], "noSpeech": silence, "logProbability": mean}
            facts.append(fact | {"compression": ratio, "lead": lead, "tokens": text})
            step = len(piece) / RATE
            if not (silence > 0.6 and mean < -1):
                pairs = [i for i in range(1, len(tokens)) if tokens[i] >= v.zero and tokens[i - 1] >= v.zero]
                single = len(tokens) > 1 and tokens[-1] >= v.zero and tokens[-2] < v.zero
                cuts = [*pairs, len(tokens)] if single or not pairs else pairs
                begin = 0
                for cut in cuts:
                    part = tokens[begin:cut]
                    begin = cut
                    times = [(t - v.zero) / 50 for t in part if t >= v.zero]
                    words = self.bpe.decode([t for t in part if t < v.end])
                    if words.strip():
                        segments.append((round(seek + times[0], 2), round(seek + times[-1], 2), words))
                if pairs and not single:
                    step = (tokens[pairs[-1] - 1] - v.zero) / 50
                before += tokens[: cuts[-1]]
            seek += step
        return segments, facts


def recordings(directory):
    expectations = json.loads((directory / "recordings.json").read_text())
    reference, small = Reference(directory), Reference(directory, int8=True)
    for name, recording in expectations.items():
        samples = load_audio(directory / "recordings" / recording["file"])
        print(f"\n== {name}: {len(samples) / RATE:.2f} s\n   expected {recording['text']!r}")
        for task in ("transcribe", "translate"):
            said = reference.generate(samples, task=task, temperature=0.0)
            print(f"   transformers, {task}: {said}")
            expected = recording["text" if task == "transcribe" else "translation"]
            segments, facts = reference.window_by_window(samples, task)
            text = "".join(words for _, _, words in segments).strip()
            print(f"   window by window, {task}: {'RIGHT' if text == expected else 'WRONG'} {text!r}")
            for fact in facts:
                print("     ", {k: round(x, 3) if isinstance(x, float) else x for k, x in fact.items()})
            if len(segments) == len(recording["sentences"]):
                errors = [
                    max(abs(b - s["start"]), abs(e - s["end"]))
                    for (b, e, _), s in zip(segments, recording["sentences"])
                ]
                print(f"      times off by {max(errors, default=0):.3f} s at most")
            rough, facts8 = small.window_by_window(samples, task)
            print(f"      int8: {'the same' if rough == segments else rough}, lead {min(f['lead'] for f in facts8):.2f}")
        for prompt, expected in recording.get("withPrompt", {}).items():
            for kind, one in (("float32", reference), ("int8", small)):
                text = "".join(w for _, _, w in one.window_by_window(samples, prompt=prompt)[0]).strip()
                print(f"   {kind} with the prompt {prompt!r}: {'RIGHT' if text == expected else 'WRONG'} {text!r}")
        for language in ("en", "fr"):
            if name != "french-and-english":
                text = "".join(w for _, _, w in reference.window_by_window(samples, language=language)[0])
                print(f"   language forced to {language}: {text!r}")


def fresh(directory, count):
    reference, small = Reference(directory), Reference(directory, int8=True)
    mixer = windows.Mixer(reference.bpe, pool(seed=999, english=6, french=6, unknown=2), 999)
    v, seen, errors = reference.vocabulary, defaultdict(list), []
    for _ in range(count):
        window = mixer.window(windows.WINDOW)
        audio = reference.encode(window.samples)
        start = window.inputs.index(v.start)
        first = window.targets[start]
        if window.weight < 1:
            kind = "silence" if first == v.no_speech else "unknown"
            language = reference.languages(audio)[0][1]
            _, mean, silence, _ = reference.decode(audio, language, "transcribe")
            if kind == "silence":
                seen["silence recognised"].append(silence > 0.6 and mean < -1)
            else:
                seen["unknown speech improbable"].append(silence < 0.6 and mean < -1)
            continue
        language = reference.bpe.id_to_token(window.inputs[start + 1]).strip("<|>")
        task = "translate" if window.inputs[start + 2] == v.tasks["translate"] else "transcribe"
        timed = window.inputs[start + 3] != v.no_timestamps
        prompt = window.inputs[1:start]
        expected = [t for t in window.inputs[start + 3 :] if t != v.no_timestamps]
        spoken = reference.bpe.id_to_token(first).strip("<|>")
        seen["language"].append(reference.languages(audio)[0][1] == spoken)
        said, mean, silence, _ = reference.decode(audio, language, task, timed, prompt)
        words, meant = ([t for t in tokens if t < v.end] for tokens in (said, expected))
        kind = task if language == spoken else "forced language"
        seen[f"{kind}, {'timed' if timed else 'untimed'}"].append(words == meant)
        seen["speech taken for speech"].append(silence < 0.6)
        seen["log probability above -1"].append(mean > -1)
        rough = small.decode(small.encode(window.samples), language, task, timed, prompt)[0]
        seen["int8: the same words"].append([t for t in rough if t < v.end] == words)
        if timed and [t < v.zero for t in said] == [t < v.zero for t in expected]:
            errors += [abs(a - b) / 50 for a, b in zip(said, expected) if a >= v.zero]
        elif timed:
            seen["timestamps in the same places"].append(False)
        if words != meant:
            print("expected", reference.bpe.decode(expected, skip_special_tokens=False))
            print("     got", reference.bpe.decode(said, skip_special_tokens=False))
    for kind, results in sorted(seen.items()):
        print(f"{kind}: {sum(results)} of {len(results)}")
    errors = np.array(errors)
    print(f"times off: mean {errors.mean():.3f}, 95 % {np.quantile(errors, 0.95):.3f}, most {errors.max():.3f} s")


def heads(directory, count):
    """Prints for each head the share of attention on the word, and the distance of its center from the word's."""
    reference = Reference(directory)
    reference.model.set_attn_implementation("eager")
    mixer = windows.Mixer(reference.bpe, pool(seed=998, english=4, french=4, unknown=1), 998)
    found = defaultdict(list)
    while count > 0:
        window = mixer.speech(windows.WINDOW)
        if not window.spans or any(end - start > 1.2 for _, start, end in window.spans):
            continue
        count -= 1
        with torch.no_grad():
            output = reference.model(
                encoder_outputs=(reference.encode(window.samples),),
                decoder_input_ids=torch.tensor([window.inputs]),
                output_attentions=True,
            )
        times = (torch.arange(network.AUDIO_POSITIONS) + 0.5) / 50
        for layer, attention in enumerate(output.cross_attentions):
            for head in range(attention.shape[1]):
                for position, start, end in window.spans:
                    weights = attention[0, head, position]
                    inside = weights[(times > start - 0.04) & (times < end + 0.04)].sum().item()
                    centre = (weights * times).sum().item() - (start + end) / 2
                    found[layer, head].append((inside, abs(centre)))
    for (layer, head), values in found.items():
        inside, off = np.array(values).T
        print(f"layer {layer}, head {head}: {inside.mean():.3f} of attention on the word, centre {np.median(off):.3f} s off")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", type=Path, default=FIXTURE)
    parser.add_argument("--fresh", type=int)
    parser.add_argument("--heads", type=int)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.fresh:
        fresh(options.checkpoint, options.fresh)
    elif options.heads:
        heads(options.checkpoint, options.heads)
    else:
        recordings(options.checkpoint)


if __name__ == "__main__":
    main()
