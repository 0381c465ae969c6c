"""Makes test/fixtures/whisper-micro/recordings, and recordings.json with their contents.

Needs the same as train.py, and ffmpeg with libopus. The speech differs from all of the training data.
"""

import random
import subprocess
from pathlib import Path

import numpy as np

from speech import RATE, SENTENCES, Speakers, trimmed
from vocabulary import write_json
from windows import Noise

DIRECTORY = Path(__file__).parents[2] / "test/fixtures/whisper-micro/recordings"

FLITE, ESPEAK = "flite", "espeak"
# name: extension, loudness of the noise, [(pause before, language, sentence, (engine, voice, tempo, pitch)), …]
# Tempo is a factor for Flite, words per minute for eSpeak.
RECORDINGS = {
    "english-flite": (
        "flac",
        0.0015,
        [
            (0.30, "en", 0, (FLITE, "slt", 1.04, None)),
            (0.62, "en", 3, (FLITE, "slt", 1.08, None)),
            (0.72, "en", 10, (FLITE, "slt", 0.97, None)),
        ],
    ),
    "english-espeak": (
        "flac",
        0.004,
        [
            (0.32, "en", 1, (ESPEAK, "en-us+m3", 163, 47)),
            (0.66, "en", 4, (ESPEAK, "en-us+m3", 171, 49)),
            (0.74, "en", 12, (ESPEAK, "en-us+m3", 166, 44)),
        ],
    ),
    "french": (
        "flac",
        0.002,
        [
            (0.32, "fr", 3, (ESPEAK, "fr+f2", 158, 52)),
            (0.68, "fr", 8, (ESPEAK, "fr+f2", 152, 50)),
            (0.72, "fr", 7, (ESPEAK, "fr+f2", 156, 54)),
        ],
    ),
    "french-and-english": (
        "ogg",
        0.0015,
        [
            (0.32, "fr", 0, (ESPEAK, "fr+m1", 161, 44)),
            (0.60, "fr", 4, (ESPEAK, "fr+m1", 157, 46)),
            (0.56, "fr", 2, (ESPEAK, "fr+m1", 159, 45)),
            (0.70, "fr", 11, (ESPEAK, "fr+m1", 160, 47)),
            # Speech on both sides of ten seconds.
            (0.36, "fr", 12, (ESPEAK, "fr+m1", 155, 44)),
            (0.46, "fr", 9, (ESPEAK, "fr+m1", 158, 45)),
            (1.36, "en", 7, (FLITE, "slt", 1.02, None)),
            (0.60, "en", 9, (FLITE, "slt", 1.05, None)),
            (0.66, "en", 5, (FLITE, "slt", 1.0, None)),
            (0.58, "en", 11, (FLITE, "slt", 1.03, None)),
        ],
    ),
    "name": (
        "flac",
        0.0015,
        [
            (0.32, "en", 13, (FLITE, "awb", 1.03, None)),
            (0.66, "en", 2, (FLITE, "awb", 1.06, None)),
        ],
    ),
    "unknown-sentence": ("flac", 0.0015, [(0.40, "en", "neverSpoken", (FLITE, "slt", 1.0, None))]),
    "noise": ("ogg", 0.01, []),
}
SILENT_SECONDS = 6
# Samples per 20 ms, the timestamp step.
GRID = 320


def spoken(speakers, language, key, voice):
    engine, name, tempo, pitch = voice
    text = SENTENCES["neverSpoken" if key == "neverSpoken" else "known"]
    text = text[language] if key == "neverSpoken" else text[key][language]
    if engine == FLITE:
        samples, words = speakers.flite.speak(text, name, tempo)
    else:
        samples, words = speakers.espeak.speak(text, name, tempo, pitch)
    # A multiple of the timestamp step: otherwise int8 may round to either neighbour.
    for stretch in np.arange(1, 1.03, 0.0005):
        utterance = trimmed(key, language, text, samples, words, name, stretch)
        if len(utterance.samples) % GRID == 0:
            return utterance
    raise ValueError(f"no fitting length of {text!r}")


def record(speakers, noise, draw, loudness, parts):
    sound, sentences = [np.zeros(0, np.float32)], []
    at = 0.0
    for pause, language, key, voice in parts:
        utterance = spoken(speakers, language, key, voice)
        begin = at + pause
        sound += [np.zeros(round(pause * RATE), np.float32), utterance.samples * 0.4]
        at = sum(map(len, sound)) / RATE
        pair = SENTENCES["known"][key] if key != "neverSpoken" else SENTENCES["neverSpoken"]
        words = [{"word": w, "start": round(begin + b, 3), "end": round(begin + e, 3)} for w, b, e in utterance.words]
        sentence = {"text": utterance.text, "language": language, "translation": pair["en"]}
        sentences.append(sentence | {"start": round(begin, 3), "end": round(at, 3), "words": words})
    sound.append(np.zeros(round((0.5 if parts else SILENT_SECONDS) * RATE), np.float32))
    samples = np.concatenate(sound)
    hiss = noise.draw(draw, len(samples)) * loudness
    return samples + hiss, sentences


def save(path, samples):
    codec = {".flac": ["-c:a", "flac", "-sample_fmt", "s16", "-compression_level", "12"]}
    codec |= {".ogg": ["-c:a", "libopus", "-b:a", "24k", "-application", "audio"]}
    source = ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-fflags", "+bitexact"]
    command = ["ffmpeg", "-v", "error", "-y", *source, "-map_metadata", "-1", *codec[path.suffix], str(path)]
    subprocess.run(command, input=samples.astype("<f4").tobytes(), check=True)


def main():
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    draw, noise, speakers = random.Random(77), Noise(77), Speakers()
    contents = {}
    for name, (extension, loudness, parts) in RECORDINGS.items():
        samples, sentences = record(speakers, noise, draw, loudness, parts)
        file = f"{name}.{extension}"
        save(DIRECTORY / file, samples)
        languages = {s["language"]: 0.0 for s in sentences}
        for s in sentences:
            languages[s["language"]] += s["end"] - s["start"]
        contents[name] = {
            "file": file,
            "seconds": round(len(samples) / RATE, 3),
            "language": max(languages, key=languages.get) if languages else None,
            "text": " ".join(s["text"] for s in sentences),
            "translation": " ".join(s["translation"] for s in sentences),
            "sentences": sentences,
        }
    first, second = SENTENCES["spellings"]
    for spelling in (first, second):
        text = contents["name"]["text"].replace(first, spelling)
        contents["name"].setdefault("withPrompt", {})[f"A letter from {spelling}."] = text
    contents["unknown-sentence"]["known"] = False
    speakers.close()
    write_json(DIRECTORY.parent / "recordings.json", contents)


if __name__ == "__main__":
    main()
