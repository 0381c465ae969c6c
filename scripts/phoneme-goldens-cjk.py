"""Phonemes of Japanese and Mandarin sentences as misaki says them, for the tests and the benchmark of src/text.

    pip install misaki==0.9.4 addict regex fugashi unidic-lite jaconv mojimoji pyopenjtalk jieba pypinyin cn2an ordered-set
    python scripts/phoneme-goldens-cjk.py ja|zh OUT.jsonl.gz SENTENCES.txt...

SENTENCES.txt holds one sentence a line; a line `# name` names the work that those below it are from. OUT gets one JSON
object a line: {"language", "work", "text", "phonemes"}, without a time stamp, so that the same input gives the same bytes.

Those of the repository, scripts/phoneme-goldens/japanese.txt and mandarin.txt, are drawn by chance from works in the
public domain: eight of Natsume Sōseki, Akutagawa Ryūnosuke, Miyazawa Kenji, Dazai Osamu and Nakajima Atsushi (texts of
Aozora Bunko without their ruby), six books of Lu Xun; the last fifty of each, everyday sentences, were written for this.

Both readers are set up as Kokoro's own pipeline sets them up for Kokoro-82M v1.0: `ja.JAG2P()`, whose default version is
`cutlet`, and `zh.ZHG2P()`. misaki's Japanese asks for the UniDic of 2021, a download apart; unidic-lite is the one of
2013 and comes as a package.
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
