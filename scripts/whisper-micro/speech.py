"""Speaks sentences, with Flite through the project's code and with eSpeak NG through its library (libespeak-ng.so.1).

Both return word times. `Speakers.speak` returns trimmed utterances with random voice, tempo and pitch. `pool` speaks
every sentence many times.
"""

import ctypes
import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
RATE = 16_000
SENTENCES = json.loads((HERE / "sentences.json").read_text())


@dataclass
class Utterance:
    key: int  # index of the sentence pair; -1 for sentences that the model must not learn
    language: str
    text: str
    samples: np.ndarray  # float32, 16 kHz, peak 1, trimmed to the sound
    words: list  # (text, start, end), seconds
    voice: str


class Flite:
    VOICES = ("slt", "rms", "awb")

    def __init__(self):
        self.process = subprocess.Popen(
            ["node", str(HERE / "flite_speech.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def speak(self, text, voice, speed):
        line = json.dumps({"voice": voice, "text": text, "speed": speed})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        response = json.loads(self.process.stdout.readline())
        samples = np.frombuffer(self.process.stdout.read(4 * response["count"]), "<f4").copy()
        return samples, [tuple(word) for word in response["words"]]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Espeak:
    ENGLISH = ("en-us", "en")
    FRENCH = ("fr", "fr-be")
    VARIANTS = ("", "+m1", "+m3", "+m4", "+m7", "+f1", "+f2", "+f3", "+f4")

    class Event(ctypes.Structure):
        _fields_ = [
            ("type", ctypes.c_int),
            ("unique_identifier", ctypes.c_uint),
            ("text_position", ctypes.c_int),
            ("length", ctypes.c_int),
            ("audio_position", ctypes.c_int),
            ("sample", ctypes.c_int),
            ("user_data", ctypes.c_void_p),
            ("id", ctypes.c_char * 8),
        ]

    SYNCHRONOUS, UTF8, WORD, RATE_PARAMETER, PITCH_PARAMETER = 2, 1, 1, 1, 3

    def __init__(self):
        self.library = ctypes.CDLL("libespeak-ng.so.1")
        self.rate = self.library.espeak_Initialize(self.SYNCHRONOUS, 0, None, 0)
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(self.Event)
        )
        self.callback = kind(self.receive)
        self.library.espeak_SetSynthCallback(self.callback)

    def receive(self, samples, count, events):
        if samples and count:
            self.chunks.append(np.ctypeslib.as_array(samples, (count,)).copy())
        for index in range(10_000):
            event = events[index]
            if event.type == 0:
                break
            if event.type == self.WORD:
                self.starts.append((event.text_position - 1, event.audio_position / 1000))
        return 0

    def speak(self, text, voice, rate, pitch):
        self.chunks, self.starts = [], []
        if self.library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ValueError(f"eSpeak has no voice {voice}")
        self.library.espeak_SetParameter(self.RATE_PARAMETER, rate, 0)
        self.library.espeak_SetParameter(self.PITCH_PARAMETER, pitch, 0)
        encoded = text.encode() + b"\0"
        self.library.espeak_Synth(encoded, len(encoded), 0, 1, 0, self.UTF8, None, None)
        self.library.espeak_Synchronize()
        samples = resample(np.concatenate(self.chunks).astype(np.float32) / 32768, self.rate, RATE)
        return samples, self.words(text, len(samples) / RATE)

    def words(self, text, duration):
        """Words between spaces, each from its first event to the next word."""
        at, spans = 0, []
        for word in text.split(" "):
            spans.append((word, at, at + len(word)))
            at += len(word) + 1
        found = []
        for word, begin, end in spans:
            starts = [time for position, time in self.starts if begin <= position < end]
            if starts:
                found.append([word, min(starts)])
            elif found:  # append separate punctuation to the word before
                found[-1][0] += " " + word
        ends = [start for _, start in found[1:]] + [duration]
        return [(word, start, end) for (word, start), end in zip(found, ends)]


def resample(samples, source, target):
    """Resamples with a band limit, by cutting the spectrum."""
    count = round(len(samples) * target / source)
    spectrum = np.fft.rfft(samples)
    bins = count // 2 + 1
    cut = np.zeros(bins, complex)
    keep = min(bins, len(spectrum))
    cut[:keep] = spectrum[:keep]
    return (np.fft.irfft(cut, count) * (count / len(samples))).astype(np.float32)


def trimmed(key, language, text, samples, words, voice, stretch):
    """@param stretch factor on durations; changes the pitch as well, like a tape"""
    if stretch != 1:
        samples = resample(samples, 1000, round(1000 * stretch))
    factor = stretch
    samples = samples / np.abs(samples).max()
    hop = 80
    frames = len(samples) // hop
    level = np.sqrt((samples[: frames * hop].reshape(frames, hop) ** 2).mean(1))
    loud = np.nonzero(level > 0.012)[0]
    begin, end = loud[0] * hop, min(len(samples), (loud[-1] + 1) * hop)
    offset, duration = begin / RATE, (end - begin) / RATE
    times = [
        (word, float(np.clip(a * factor - offset, 0, duration)), float(np.clip(b * factor - offset, 0, duration)))
        for word, a, b in words
    ]
    return Utterance(key, language, text, samples[begin:end].astype(np.float32), times, voice)


class Speakers:
    def __init__(self):
        self.flite, self.espeak = Flite(), Espeak()

    def speak(self, draw, key, language, text, engine=None):
        """One utterance with random voice, tempo and pitch. `draw` is a random.Random."""
        engine = engine or ("flite" if language == "en" and draw.random() < 0.5 else "espeak")
        stretch = draw.uniform(0.94, 1.06)
        if engine == "flite":
            voice = draw.choice(Flite.VOICES)
            samples, words = self.flite.speak(text, voice, draw.uniform(0.85, 1.3))
        else:
            accent = draw.choice(Espeak.ENGLISH if language == "en" else Espeak.FRENCH)
            voice = accent + draw.choice(Espeak.VARIANTS)
            samples, words = self.espeak.speak(text, voice, draw.randint(135, 200), draw.randint(35, 65))
        return trimmed(key, language, text, samples, words, voice, stretch)

    def close(self):
        self.flite.close()


def pool(seed, english, french, unknown):
    """Speaks known sentences `english` and `french` times, unknown ones `unknown` times."""
    draw, speakers, found = random.Random(seed), Speakers(), []
    for key, pair in enumerate(SENTENCES["known"]):
        for language, times in (("en", english), ("fr", french)):
            found += [speakers.speak(draw, key, language, pair[language]) for _ in range(times)]
    for language, texts in SENTENCES["unknown"].items():
        for text in texts:
            found += [speakers.speak(draw, -1, language, text) for _ in range(unknown)]
    speakers.close()
    return found


if __name__ == "__main__":
    import sys
    import time

    started = time.time()
    utterances = pool(1, 2, 2, 1)
    print(f"{len(utterances)} utterances in {time.time() - started:.1f} s")
    for utterance in utterances[:: max(1, len(utterances) // 20)]:
        print(utterance.voice, f"{len(utterance.samples) / RATE:.2f} s", [(w, round(a, 2), round(b, 2)) for w, a, b in utterance.words])
    sys.exit(0)
