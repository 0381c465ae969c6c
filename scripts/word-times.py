"""Aligns words with pocketsphinx and faster-whisper, for benchmarks/voice-quality and benchmarks/word-pauses.

Usage: word-times.py WHISPER. WHISPER is a directory that faster-whisper reads. Needs faster-whisper and pocketsphinx.
Reads one line of JSON per recording, `{path, words}`, with 16-bit samples at 24 kHz and the words in plain letters, and
responds with `{sphinx, whisper}`: lists of `[word, start, end]`. Sphinx is empty without words, and for words that it does
not know.
"""

import json
import re
import sys

import numpy as np
from faster_whisper import WhisperModel
from pocketsphinx import Decoder


def aligned(samples: np.ndarray, words: list[str]) -> list:
    decoder = Decoder(samprate=16000, loglevel="FATAL")
    if not words or any(decoder.lookup_word(word) is None for word in words):
        return []
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw((samples * 32767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    segments = [(re.sub(r"\(\d+\)$", "", each.word), each) for each in decoder.seg() or []]
    return [[word, each.start_frame / 100, (each.end_frame + 1) / 100] for word, each in segments if word in words]


def main() -> None:
    whisper = WhisperModel(sys.argv[1], device="cpu", compute_type="int8")
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        samples = np.fromfile(run["path"], dtype="<i2").astype(np.float32) / 32768
        places = np.arange(int(len(samples) * 2 / 3)) * 1.5
        resampled = np.interp(places, np.arange(len(samples)), samples).astype(np.float32)
        segments, _ = whisper.transcribe(resampled, language="en", word_timestamps=True)
        heard = [[word.word.strip(), word.start, word.end] for segment in segments for word in segment.words]
        print(json.dumps({"sphinx": aligned(resampled, run["words"]), "whisper": heard}), flush=True)


if __name__ == "__main__":
    main()
