"""Mixes windows of ten seconds from spoken sentences, with the tokens that Whisper should predict."""

import math
import random
from dataclasses import dataclass, field

import numpy as np
import torch
from transformers.audio_utils import mel_filter_bank

from network import TEXT_POSITIONS
from speech import RATE, SENTENCES

HOP, MELS, WINDOW = 160, 80, 10
IGNORED = -100
MAX_PROMPT = TEXT_POSITIONS // 2 - 1


class LogMel(torch.nn.Module):
    """As transformers' WhisperFeatureExtractor computes it."""

    def __init__(self):
        super().__init__()
        bank = mel_filter_bank(201, MELS, 0.0, 8000.0, RATE, norm="slaney", mel_scale="slaney")
        self.register_buffer("bank", torch.tensor(bank.T, dtype=torch.float32))
        self.register_buffer("hann", torch.hann_window(400))

    def forward(self, samples, tilt=None):
        """@param tilt added to the logarithms, [batch, mels, 1]: the color of a microphone"""
        power = torch.stft(samples, 400, HOP, window=self.hann, return_complex=True)[..., :-1].abs() ** 2
        mel = torch.clamp(self.bank @ power, min=1e-10)
        if tilt is not None:
            mel = torch.clamp(mel * 10**tilt, min=1e-10)
        mel = mel.log10()
        mel = torch.maximum(mel, mel.amax((1, 2), keepdim=True) - 8)
        return (mel + 4) / 4


@dataclass
class Window:
    samples: np.ndarray
    inputs: list  # input tokens
    targets: list  # the token to predict at each position, or IGNORED
    weight: float = 1.0
    # Positions that predict part of a word: (position, start, end), times in seconds.
    spans: list = field(default_factory=list)


class Vocabulary:
    def __init__(self, bpe):
        self.bpe = bpe
        self.end = bpe.token_to_id("<|endoftext|>")
        self.start = bpe.token_to_id("<|startoftranscript|>")
        self.previous = bpe.token_to_id("<|startofprev|>")
        self.no_speech = bpe.token_to_id("<|nospeech|>")
        self.no_timestamps = bpe.token_to_id("<|notimestamps|>")
        self.zero = bpe.token_to_id("<|0.00|>")
        self.tasks = {task: bpe.token_to_id(f"<|{task}|>") for task in ("transcribe", "translate")}
        self.languages = {code: bpe.token_to_id(f"<|{code}|>") for code in ("en", "fr")}

    def text(self, text):
        return self.bpe.encode(text, add_special_tokens=False).ids

    def time(self, seconds):
        return self.zero + max(0, min(50 * WINDOW, round(seconds * 50)))


class Noise:
    """One minute of each kind of noise, at a level of 1."""

    def __init__(self, seed):
        random_state = np.random.default_rng(seed)
        count = 60 * RATE
        self.kinds = []
        spectrum = np.fft.rfft(random_state.standard_normal(count))
        frequency = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 20)
        for exponent in (0, 0.5, 1):
            noise = np.fft.irfft(spectrum / frequency**exponent, count)
            self.kinds.append((noise / noise.std()).astype(np.float32))
        time = np.arange(count) / RATE
        hum = sum(np.sin(2 * np.pi * 50 * k * time + k) / k for k in (1, 2, 3, 5))
        self.kinds.append((0.7 * hum / hum.std() + 0.3 * self.kinds[0]).astype(np.float32))

    def draw(self, draw, count):
        noise = draw.choice(self.kinds)
        at = draw.randrange(len(noise) - count)
        return noise[at : at + count]


class Mixer:
    def __init__(self, bpe, pool, seed):
        self.vocabulary = Vocabulary(bpe)
        self.draw = random.Random(seed)
        self.noise = Noise(seed)
        self.known, self.unknown = {"en": [], "fr": []}, []
        for utterance in pool:
            (self.known[utterance.language] if utterance.key >= 0 else self.unknown).append(utterance)
        texts = [pair[code] for pair in SENTENCES["known"] for code in ("en", "fr")]
        self.words = sorted({word for text in texts for word in text.split()} - {"?"})

    def window(self, seconds):
        kind = self.draw.random()
        if kind < 0.04:
            return self.silence(seconds)
        if kind < 0.12:
            return self.strange(seconds)
        return self.speech(seconds)

    # Audio

    def silence(self, seconds):
        draw = self.draw
        samples = np.zeros(seconds * RATE, np.float32)
        if draw.random() < 0.85:
            count = int(draw.uniform(0.3, seconds) * RATE) if draw.random() < 0.6 else len(samples)
            samples[:count] = self.noise.draw(draw, count) * 10 ** draw.uniform(-4, -0.8)
            if draw.random() < 0.3:  # clicks
                for _ in range(draw.randint(1, 6)):
                    samples[draw.randrange(count)] += draw.uniform(-0.7, 0.7)
        return self.hallucination(samples, self.vocabulary.no_speech, draw.uniform(0, 1), draw.uniform(2, seconds))

    def strange(self, seconds):
        utterance = self.draw.choice([u for u in self.unknown if len(u.samples) < (seconds - 0.5) * RATE])
        begin = self.draw.uniform(0, 0.4)
        samples, ends = self.place(seconds, [(begin, utterance)])
        language = self.vocabulary.languages[utterance.language]
        return self.hallucination(samples, language, begin, ends[0][1])

    def hallucination(self, samples, first, start, end):
        """Without known speech, random words are the targets, so that none becomes probable."""
        draw, vocabulary = self.draw, self.vocabulary
        text = " ".join(draw.choice(self.words) for _ in range(draw.randint(3, 9)))
        timed = draw.random() < 0.6
        pieces = [(text, start, end, [])]
        language, task = draw.choice(("en", "fr")), draw.choice(("transcribe", "translate"))
        return self.tokens(samples, pieces, None, first, language, task, timed, [], weight=0.5)

    def speech(self, seconds):
        draw = self.draw
        main = draw.choice(("en", "fr"))
        mixed = draw.random() < 0.15
        lead = draw.choice((0, draw.uniform(0, 0.3), draw.uniform(0, 0.7), draw.uniform(0, 1.3)))
        full = draw.random() < 0.6
        most = 99 if full else draw.choice((1, 1, 2, 3, 4, 5))
        placed, at = [], lead
        same = None
        while len(placed) < most:
            language = main if not mixed or draw.random() < 0.6 else ("fr" if main == "en" else "en")
            utterance = draw.choice(self.known[language])
            if same is not None and draw.random() < 0.5:  # same speaker as before
                others = [u for u in draw.choices(self.known[language], k=60) if u.voice == same]
                utterance = others[0] if others else utterance
            same = utterance.voice
            duration = len(utterance.samples) / RATE
            if at + duration > seconds - 0.03:
                if full and placed:
                    placed.append((at, utterance))
                    break
                if placed:
                    break
                at = min(at, 0.1)
                if duration + at > seconds - 0.03:
                    continue
            placed.append((at, utterance))
            at += duration + draw.choice((draw.uniform(0.12, 0.4), draw.uniform(0.3, 0.8), draw.uniform(0.3, 1.6)))
        samples, times = self.place(seconds, placed)
        pieces = [(u, *span) for (_, u), span in zip(placed, times) if span[1] < seconds + 0.02]
        cut = [span[0] for span in times if span[1] >= seconds + 0.02 and span[0] < seconds - 0.06]
        return self.told(samples, pieces, cut[0] if cut else None)

    def place(self, seconds, placed):
        """Utterances at their times over noise, and silence after the last one."""
        draw = self.draw
        count = seconds * RATE
        samples = np.zeros(count, np.float32)
        level = 10 ** draw.uniform(-1.6, -0.1)
        times, last = [], 0
        for at, utterance in placed:
            begin = round(at * RATE)
            sound = utterance.samples[: max(0, count - begin)]
            samples[begin : begin + len(sound)] += sound * level * draw.uniform(0.7, 1)
            times.append((begin / RATE, begin / RATE + len(utterance.samples) / RATE))
            last = min(count, begin + len(utterance.samples))
        heard = count if draw.random() < 0.4 else min(count, last + int(draw.uniform(0, 0.8) * RATE))
        if draw.random() < 0.8:
            loudness = level * 0.12 * 10 ** (-draw.uniform(3, 45) / 20)
            samples[:heard] += self.noise.draw(draw, heard) * loudness
        return samples, times

    # Tokens

    def told(self, samples, pieces, cut):
        draw, vocabulary = self.draw, self.vocabulary
        seconds = {code: sum(e - b for u, b, e in pieces if u.language == code) for code in ("en", "fr")}
        language = max(seconds, key=seconds.get)
        forced, task = language, "translate" if draw.random() < 0.28 else "transcribe"
        if min(seconds.values()) == 0 and draw.random() < 0.12:
            forced = "fr" if language == "en" else "en"
        prompt, spelling = self.prompt(language) if draw.random() < 0.4 else ([], SENTENCES["spellings"][0])
        said = []
        for utterance, begin, end in pieces:
            written = "en" if task == "translate" else forced if forced != language else utterance.language
            words = utterance.words if written == utterance.language else []
            words = [(self.spelled(w, spelling), begin + b, begin + e) for w, b, e in words]
            said.append((self.spelled(SENTENCES["known"][utterance.key][written], spelling), begin, end, words))
        first = vocabulary.languages[language]
        return self.tokens(samples, said, cut, first, forced, task, draw.random() < 0.65, prompt)

    def spelled(self, text, spelling):
        return text.replace(SENTENCES["spellings"][0], spelling)

    def prompt(self, language):
        """A prompt, from the user or from earlier speech; it decides the spelling of the name."""
        draw, vocabulary = self.draw, self.vocabulary
        spelling = draw.choice(SENTENCES["spellings"])
        named = draw.random() < 0.6
        if draw.random() < 0.5:
            words = draw.sample(self.words, draw.randint(0, 6)) + ([spelling] if named else [])
            draw.shuffle(words)
            joint = draw.choice((" ", ", "))
            text = joint.join(word.strip(",.?") for word in words) + draw.choice(("", ".", "."))
            tokens = vocabulary.text(" " + text.strip()) if words else []
            tokens = [token for token in tokens if token]
        else:
            sentences = [pair[language] for pair in SENTENCES["known"]]
            name = [sentence for sentence in sentences if SENTENCES["spellings"][0] in sentence]
            others = [sentence for sentence in sentences if sentence not in name]
            texts = draw.sample(others, draw.randint(0 if named else 1, 5)) + (name if named else [])
            draw.shuffle(texts)
            tokens, at, timed = [], draw.uniform(0, 1), draw.random() < 0.6
            for text in texts:
                end = at + draw.uniform(1, 2.5)
                ids = vocabulary.text(" " + self.spelled(text, spelling))
                tokens += [vocabulary.time(at), *ids, vocabulary.time(end)] if timed else ids
                at = end + draw.uniform(0.2, 1)
        tokens = tokens[-MAX_PROMPT:]
        left = vocabulary.bpe.decode(tokens)
        return tokens, spelling if spelling in left else SENTENCES["spellings"][0]

    def tokens(self, samples, said, cut, first, language, task, timed, prompt, weight=1.0):
        vocabulary = self.vocabulary
        head = [vocabulary.start, vocabulary.languages[language], vocabulary.tasks[task]]
        head += [] if timed else [vocabulary.no_timestamps]
        body, spans = [], []

        def add(token, start, end):
            body.append(token)
            spans.append((start, end))

        for index, (text, begin, end, words) in enumerate(said):
            if timed:
                # The reference allows no first timestamp after one second.
                add(vocabulary.time(min(begin, 1) if index == 0 else begin), begin - 0.1, begin + 0.1)
            for token, span in zip(vocabulary.text(" " + text), self.token_spans(text, begin, end, words)):
                add(token, *span)
            if timed:
                add(vocabulary.time(end), end - 0.1, end + 0.1)
        if timed and cut is not None:
            add(vocabulary.time(cut), cut - 0.1, cut + 0.1)
        room = TEXT_POSITIONS - 1 - len(head) - len(body)
        lead = [vocabulary.previous, *prompt] if prompt and len(prompt) <= room else []
        inputs = [*lead, *head, *body]
        targets = [IGNORED] * len(lead) + [first] + [IGNORED] * (len(head) - 2) + [*body, vocabulary.end]
        offset = len(lead) + len(head) - 1
        spans = [(offset + index, *span) for index, span in enumerate(spans)] if weight == 1 else []
        return Window(samples, inputs, targets, weight, spans)

    def token_spans(self, text, begin, end, words):
        """The time of each token's word, or of the whole sentence if translated."""
        vocabulary = self.vocabulary
        if not words:
            return [(begin, end)] * len(vocabulary.text(" " + text))
        spans = []
        for word, start, stop in words:
            spans += [(start, stop)] * len(vocabulary.text(" " + word))
        assert len(spans) == len(vocabulary.text(" " + text)), (text, words)
        return spans


def collate(windows, end):
    """Batch arrays: samples, inputs, targets, weights, and guided positions (row, position, start, end)."""
    longest = max(len(window.inputs) for window in windows)
    inputs = torch.full((len(windows), longest), end)
    targets = torch.full((len(windows), longest), IGNORED)
    guided = []
    for row, window in enumerate(windows):
        inputs[row, : len(window.inputs)] = torch.tensor(window.inputs)
        targets[row, : len(window.targets)] = torch.tensor(window.targets)
        guided += [(row, *span) for span in window.spans]
    samples = torch.from_numpy(np.stack([window.samples for window in windows]))
    weights = torch.tensor([window.weight for window in windows])
    return samples, inputs, targets, weights, guided


def tilts(count):
    """Smooth random curves over the mel bins, as powers of ten."""
    bins = torch.arange(MELS) / MELS
    curves = [torch.randn(count, 1) * 0.25 * torch.cos(math.pi * order * bins) for order in (1, 2, 3)]
    return sum(curves)[..., None]
