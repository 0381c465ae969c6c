"""Writes misaki's phonemes of the eSpeak languages, for the tests and the benchmark of src/text/espeak.

    pip install misaki==0.9.4 espeakng-loader==0.2.4 phonemizer-fork==3.3.2
    python scripts/espeak-goldens.py OUT.jsonl.gz e=BOOK.txt f=BOOK.txt h=BOOK.txt h=STORIES.txt i=BOOK.txt p=BOOK.txt

Books are plain UTF-8 text. The script draws at most 320 sentences of each, always the same, and skips sentences with
digits, brackets or words in capitals. OUT gets one JSON object per line: {"language", "text", "phonemes"}. It has no
time stamp: the same input gives the same bytes.

The goldens in the repository are from works of authors who died more than a hundred years ago: Don Quijote (Cervantes),
Du côté de chez Swann (Proust), I promessi sposi with an old foreword (Manzoni) and Dom Casmurro (Machado de Assis). The
Hindi ones are from the Universal Declaration of Human Rights (61 sentences) and four stories by Premchand (died 1936)
from 1910 to 1929: Bade ghar ki beti, Atmaram, Baudam, Alagyojha, as in the corpus hindi-discourse of MIDAS at IIIT Delhi
(stories 23 to 26, an empty line between sentences).
"""

import gzip
import json
import random
import re
import sys
from pathlib import Path

VOICES = {"e": "es", "f": "fr-fr", "h": "hi", "i": "it", "p": "pt-br"}
COUNT = 320


def sentences(text):
    results = []
    for paragraph in re.split(r"\n\s*\n", text.replace("\r", "").replace("\ufeff", "")):
        line = " ".join(paragraph.replace("_", "").replace("--", "—").split())
        for sentence in re.split(r"(?<=[.!?…।])\s+(?=[\W_]*[^\W\d_])", line):
            if not 25 <= len(sentence) <= 220 or re.search(r"[\d\[\]{}*=|<>]|\b[^\W\d_a-zà-ÿऀ-ॿ]{2,}", sentence):
                continue
            ended = re.search(r"[.!?…।][»”\"’)]?$", sentence) and not re.search(r"\b(M|MM|[SD]ra?|D)\.$", sentence)
            if ended and not re.match(r"[^\w«“\"‘¿¡—-]|[a-zà-ÿ]", sentence):
                results.append(sentence)
    return list(dict.fromkeys(results))


def main(out, *books):
    from misaki.espeak import EspeakG2P

    rows = []
    for book in books:
        letter, _, path = book.partition("=")
        say = EspeakG2P(VOICES[letter])
        candidates = sentences(Path(path).read_text(encoding="utf-8"))
        chosen = random.Random(9).sample(candidates, min(COUNT, len(candidates)))
        rows += [{"language": letter, "text": text, "phonemes": say(text)[0]} for text in chosen]
        print(letter, len(candidates), "sentences,", len(chosen), "chosen")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    Path(out).write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
