"""Writes misaki's phonemes of Japanese and Mandarin sentences, for the tests of src/text and the benchmark.

    pip install misaki==0.9.4 addict regex fugashi unidic-lite jaconv mojimoji pyopenjtalk jieba pypinyin cn2an ordered-set
    python scripts/phoneme-goldens-cjk.py ja|zh OUT.jsonl.gz SENTENCES.txt...

SENTENCES.txt has one sentence per line; a line `# name` names the work of the sentences after it. OUT gets one JSON
object per line: {"language", "work", "text", "phonemes"}. It has no time stamp, so that the same input gives the same
bytes.

scripts/phoneme-goldens/japanese.txt and mandarin.txt are random sentences of works in the public domain: eight by
Natsume Sōseki, Akutagawa Ryūnosuke, Miyazawa Kenji, Dazai Osamu and Nakajima Atsushi (texts of Aozora Bunko without
ruby), and six books by Lu Xun. The last fifty of each are everyday sentences written for this test.

Both G2Ps have the settings of Kokoro's pipeline for Kokoro-82M v1.0: `ja.JAG2P()`, with `cutlet` as its default version,
and `zh.ZHG2P()`. misaki expects the UniDic of 2021, a separate download; unidic-lite is the one of 2013, as a package.
"""

import gzip
import json
import sys
from pathlib import Path

LETTERS = {"ja": "j", "zh": "z"}


def reader(language):
    if language == "ja":
        from misaki import ja

        return ja.JAG2P()
    from misaki import zh

    return zh.ZHG2P()


def main(language, out, files):
    g2p = reader(language)
    rows, name = [], ""
    for file in files:
        for line in Path(file).read_text().splitlines():
            if line.startswith("# "):
                name = line[2:]
            elif line.strip():
                phonemes, _ = g2p(line.strip())
                rows.append({"language": LETTERS[language], "work": name, "text": line.strip(), "phonemes": phonemes})
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as zipped:
        zipped.write(text.encode())
    print(f"{len(rows)} sentences")


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("ja", "zh"):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
