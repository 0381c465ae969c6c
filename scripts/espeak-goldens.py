"""Phonemes of the eSpeak languages as misaki says them, for the tests and the benchmark of src/text/espeak.

    pip install misaki==0.9.4 espeakng-loader==0.2.4 phonemizer-fork==3.3.2
    python scripts/espeak-goldens.py OUT.jsonl.gz e=BOOK.txt f=BOOK.txt h=BOOK.txt h=STORIES.txt i=BOOK.txt p=BOOK.txt

Of each book, a plain text in UTF-8, at most 320 sentences are drawn by chance, always the same ones; those with digits,
brackets or words in capitals are passed over. OUT gets one JSON object a line: {"language", "text", "phonemes"}, without
a time stamp, so that the same input gives the same bytes.

The goldens of the repository are of works whose authors died more than a hundred years ago, Don Quijote (Cervantes), Du
côté de chez Swann (Proust), I promessi sposi with an old foreword (Manzoni) and Dom Casmurro (Machado de Assis); in Hindi
of the Universal Declaration of Human Rights, 61 sentences, and of four stories that Premchand, who died in 1936, published
from 1910 to 1929 (Bade ghar ki beti, Atmaram, Baudam, Alagyojha), as the corpus hindi-discourse of MIDAS at IIIT Delhi
holds them (stories 23 to 26, an empty line between its sentences).
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
    found = []
    for paragraph in re.split(r"\n\s*\n", text.replace("\r", "").replace("\ufeff", "")):
        line = " ".join(paragraph.replace("_", "").replace("--", "—").split())
        for sentence in re.split(r"(?<=[.!?…।])\s+(?=[\W_]*[^\W\d_])", line):
            if not 25 <= len(sentence) <= 220 or re.search(r"[\d\[\]{}*=|<>]|\b[^\W\d_a-zà-ÿऀ-ॿ]{2,}", sentence):
                continue
            ended = re.search(r"[.!?…।][»”\"’)]?$", sentence) and not re.search(r"\b(M|MM|[SD]ra?|D)\.$", sentence)
            if ended and not re.match(r"[^\w«“\"‘¿¡—-]|[a-zà-ÿ]", sentence):
                found.append(sentence)
    return list(dict.fromkeys(found))


def main(out, *books):
    from misaki.espeak import EspeakG2P

    rows = []
    for book in books:
        letter, _, path = book.partition("=")
        say = EspeakG2P(VOICES[letter])
        found = sentences(Path(path).read_text(encoding="utf-8"))
        chosen = random.Random(9).sample(found, min(COUNT, len(found)))
        rows += [{"language": letter, "text": text, "phonemes": say(text)[0]} for text in chosen]
        print(letter, len(found), "sentences,", len(chosen), "chosen")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    Path(out).write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
