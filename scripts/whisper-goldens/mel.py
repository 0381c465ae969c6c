"""Writes log-mel spectrograms of the reference's feature extractor.

    pip install transformers torch soundfile
    python scripts/whisper-goldens/mel.py <directory with jfk.flac and two_cities.wav> test/fixtures/whisper/mel.json
    npx biome format --write test/fixtures/whisper/mel.json

Signals are recordings, or come from arithmetic that src/models/whisper/runtime/mel.test.ts repeats. Recordings are read
as if at 16 kHz, without resampling. The golden has some frames of each signal: float32 in base64, [mels, frames],
row-major.
"""

import base64
import json
import sys

import numpy as np
import soundfile
from transformers import WhisperFeatureExtractor


def noise(seed, count):
    """A linear congruential generator's noise in -1 to 1."""
    values = np.empty(count)
    state = seed
    for index in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        values[index] = state / 2**31 - 1
    return values


def square(period, count):
    return np.where(np.arange(count) % period < period / 2, 0.5, -0.5)


def main(directory, path):
    def recording(name):
        samples, _ = soundfile.read(f"{directory}/{name}", dtype="float32", always_2d=True)
        return samples.mean(1)

    edge = [0, 1, 2, 3, 50, 96, 97, 98, 99]
    seconds = list(range(0, 3000, 200)) + [2998, 2999]
    cases = [
        # name, samples, seconds of the window, frames
        ("noise", noise(1, 12_345), 1, [0, 1, 2, 40, 76, 77, 78, 79, 99]),
        ("noise that fills the window", noise(2, 16_000), 1, edge),
        ("noise that is longer", noise(3, 20_000), 1, edge),
        ("quiet noise", noise(4, 16_000) * 2**-12, 1, edge),
        ("a square wave", square(37, 8_000), 1, edge),
        ("one sample", np.array([0.75]), 1, [0, 1, 2, 99]),
        ("less than half a frame", noise(5, 150), 1, [0, 1, 2, 3, 99]),
        ("nothing", np.array([]), 1, [0, 99]),
        ("jfk.flac", recording("jfk.flac"), 30, seconds),
        ("two_cities.wav", recording("two_cities.wav"), 30, seconds),
    ]
    golden = []
    for name, samples, window, frames in cases:
        entry = {"name": name, "window": window, "frames": frames}
        for mels in (80, 128):
            extractor = WhisperFeatureExtractor(feature_size=mels, chunk_length=window)
            samples = samples.astype(np.float32)
            if len(samples) == 0:
                samples = np.zeros(1, np.float32)
            values = extractor(samples, sampling_rate=16_000, return_tensors="np").input_features[0]
            assert values.shape == (mels, window * 100) and values.dtype == np.float32
            entry[str(mels)] = base64.b64encode(values[:, frames].astype("<f4").tobytes()).decode()
        golden.append(entry)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(golden, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
