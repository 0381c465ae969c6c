"""Writes decisions of Whisper's reference implementation, on inputs that the tests make from the same seeds.

Covers the functions of openai/whisper that turn logits and attention into a transcript: timestamp rules, beam search, word
alignment, merging of punctuation and smoothing of word times.

Usage (the result is committed; the tests need no Python):

    python -m venv reference && reference/bin/pip install torch openai-whisper==20250625
    reference/bin/python scripts/whisper-decoding-goldens.py > src/models/whisper/runtime/reference.golden.json
    npx biome check --write src/models/whisper/runtime/reference.golden.json
"""

import json
import math
from types import SimpleNamespace

import torch
from whisper import timing
from whisper.decoding import ApplyTimestampRules, BeamSearchDecoder, MaximumLikelihoodRanker


class Noise:
    """The generator of test/fixtures/speech.ts, from -1 to 1. The product separates the first numbers of similar seeds."""

    def __init__(self, seed):
        self.state = seed * 2654435761 % 2**32

    def __call__(self):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return self.state / 2**31 - 1

    def below(self, count):
        return math.floor((self() + 1) / 2 * count)


# 20 text tokens, the end of the text, languages and control tokens, and 80 timestamps.
END, NO_TIMESTAMPS, BEGIN, VOCABULARY = 20, 29, 30, 110
CONTROL = [21, 24, 25, 26, 27, 28]


def timestamp_rules():
    tokenizer = SimpleNamespace(eot=END, no_timestamps=NO_TIMESTAMPS, timestamp_begin=BEGIN)
    cases = []
    for seed in range(1, 61):
        noise = Noise(seed)
        sampled, stamp = [], BEGIN
        for index in range(noise.below(9)):
            # First a timestamp, then text and timestamps in random order.
            if index == 0 or noise() > 0:
                stamp = min(VOCABULARY - 1, stamp + noise.below(12))
                sampled.append(stamp)
            else:
                sampled.append(noise.below(END))
        # Timestamps together outweigh text in some cases only.
        penalty = 4 * (seed % 3)
        noise = Noise(1000 + seed)
        logits = torch.tensor(
            [[3 * noise() - (penalty if token >= BEGIN else 0) for token in range(VOCABULARY)]]
        )
        logits[:, CONTROL] = -math.inf
        rules = ApplyTimestampRules(tokenizer, 0, 50)
        rules.apply(logits, torch.tensor([sampled], dtype=torch.long))
        allowed = [token for token in range(VOCABULARY) if logits[0, token] > -math.inf]
        cases.append({"seed": seed, "sampled": sampled, "allowed": ranges(allowed)})
    return cases


def ranges(tokens):
    result = []
    for token in tokens:
        if result and result[-1][1] == token:
            result[-1][1] = token + 1
        else:
            result.append([token, token + 1])
    return result


BEAM_VOCABULARY, BEAM_END = 9, 8


def beam_logits(seed, tokens):
    noise = Noise(seed)
    for token in tokens:
        noise = Noise(noise.state + token + 1)
    logits = [3 * noise() for _ in range(BEAM_VOCABULARY)]
    # The reference cannot rank an empty transcript.
    logits[BEAM_END] += 0.5 * len(tokens) - 2 if tokens else -100
    return logits


def beam_search():
    cases = []
    for seed in range(1, 41):
        beam_size, length = 2 + seed % 4, 4 + seed % 5
        inference = SimpleNamespace(rearrange_kv_cache=lambda sources: None)
        decoder = BeamSearchDecoder(beam_size, BEAM_END, inference)
        decoder.reset()
        # The reference needs a first token; it does not count.
        tokens = torch.tensor([[0]] * beam_size)
        sums = torch.zeros(beam_size)
        for _ in range(length):
            logits = torch.tensor([beam_logits(seed, row[1:].tolist()) for row in tokens])
            tokens, completed = decoder.update(tokens, logits, sums)
            if completed:
                break
        candidates, totals = decoder.finalize(tokens[None], sums[None])
        texts = [[t[1 : (t == BEAM_END).nonzero()[0, 0]] for t in candidates[0]]]
        [best] = MaximumLikelihoodRanker(None).rank(texts, totals)
        cases.append(
            {
                "seed": seed,
                "beamSize": beam_size,
                "length": length,
                "tokens": texts[0][best].tolist(),
                "sum": round(totals[0][best], 4),
                "candidates": len(texts[0]),
            }
        )
    return cases


HEADS, POSITIONS = 3, 120


def head_scores(seed, tokens):
    """[heads, tokens + 1, positions] before the softmax: each token attends roughly to its position."""
    noise = Noise(seed)
    scores = []
    for _ in range(HEADS):
        head = []
        for token in range(tokens + 1):
            centre = (token + 0.5 + 0.4 * noise()) * 90 / (tokens + 1)
            width = 5 + 3 * noise()
            head.append(
                [4 * math.exp(-(((p - centre) / width) ** 2)) + 0.3 * noise() for p in range(POSITIONS)]
            )
        scores.append(head)
    return torch.tensor(scores, dtype=torch.float64)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cross_attn = torch.nn.Identity()


def alignment():
    cases = []
    for seed in range(1, 13):
        tokens, frames = 3 + seed % 8, 90 + seed
        scores = head_scores(seed, tokens)
        # The reference also standardizes over a token before the text and one after it. Here there is none before;
        # the one after attends to the average of the others, which scales all by one factor.
        last = scores[:, :, :frames].softmax(-1).mean(1, keepdim=True).log()
        last = torch.nn.functional.pad(last, (0, POSITIONS - frames))
        scores = torch.cat([scores, last], 1)
        blocks = [Block()]

        class Model:
            dims = SimpleNamespace(n_text_layer=1)
            decoder = SimpleNamespace(blocks=blocks)
            device = "cpu"
            alignment_heads = torch.ones(1, HEADS, dtype=torch.bool).to_sparse()

            def __call__(self, mel, ids):
                for hook in blocks[0].cross_attn._forward_hooks.values():
                    hook(None, None, (None, scores[None]))
                return torch.zeros(1, ids.shape[1], 100)

        # Each token is a word.
        tokenizer = SimpleNamespace(
            sot_sequence=(),
            no_timestamps=99,
            eot=98,
            split_to_word_tokens=lambda ids: ([f" w{i}" for i in ids], [[i] for i in ids]),
        )
        words = timing.find_alignment(
            Model(), tokenizer, list(range(tokens)), torch.zeros(1), 2 * frames
        )
        cases.append(
            {
                "seed": seed,
                "tokens": tokens,
                "frames": frames,
                "times": [[round(float(w.start), 2), round(float(w.end), 2)] for w in words],
            }
        )
    return cases


PIECES = [" one", " two", "s", ".", ",", "!", "?", '"', ' "', " (", ")", " -", "。", "..", " it's", "'"]


def punctuation():
    cases = []
    for seed in range(1, 41):
        noise = Noise(seed)
        words = [PIECES[noise.below(len(PIECES))] for _ in range(2 + noise.below(10))]
        timings = [timing.WordTiming(word, [0], i, i + 1, 0.5) for i, word in enumerate(words)]
        timing.merge_punctuations(timings, "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、")
        joined = [[t.word, t.start] for t in timings if t.word]
        cases.append({"seed": seed, "joined": joined})
    return cases


def smoothing():
    cases = []
    for seed in range(1, 25):
        noise = Noise(seed)
        seek = 100 * noise.below(20)
        offset = seek / 100
        at, words, segments = 0, [], []
        for _ in range(1 + noise.below(3)):
            first = len(words)
            # In frames of 20 ms: pauses, words, some of them very long, closing punctuation.
            at += noise.below(60) if noise() > 0 else 0
            for index in range(1 + noise.below(5)):
                length = 60 + noise.below(100) if noise() > 0.7 else noise.below(40)
                words.append((f" w{index}", at, at + length))
                at += length
                if noise() > 0.4:
                    length = noise.below(80)
                    words.append((".", at, at + length))
                    at += length
            start = max(0, words[first][1] + noise.below(60) - 20)
            end = max(start, words[-1][2] + noise.below(80) - 60)
            segments.append((first, len(words), start, end))
        last_speech = round(offset - noise.below(3), 2)
        dicts = [
            {
                "seek": seek,
                "start": offset + start * 0.02,
                "end": offset + end * 0.02,
                "tokens": list(range(first, last)),
            }
            for first, last, start, end in segments
        ]
        timings = [
            timing.WordTiming(word, [i], start * 0.02, end * 0.02, 0.5)
            for i, (word, start, end) in enumerate(words)
        ]
        timing.find_alignment = lambda *args, **kwargs: timings
        timing.add_word_timestamps(
            segments=dicts,
            model=None,
            tokenizer=SimpleNamespace(eot=1000),
            mel=None,
            num_frames=3000,
            last_speech_timestamp=last_speech,
        )
        cases.append(
            {
                "offset": offset,
                "lastSpeech": last_speech,
                "words": [list(word) for word in words],
                "segments": [list(segment) for segment in segments],
                "expected": [
                    {
                        "start": round(s["start"], 3),
                        "end": round(s["end"], 3),
                        "words": [[w["word"], round(w["start"], 3), round(w["end"], 3)] for w in s["words"]],
                    }
                    for s in dicts
                ],
            }
        )
    return cases


sections = {
    "timestampRules": timestamp_rules(),
    "beamSearch": beam_search(),
    "alignment": alignment(),
    "punctuation": punctuation(),
    # Last, because it replaces the reference's alignment.
    "smoothing": smoothing(),
}
print(json.dumps(sections, ensure_ascii=False))
