"""Finds readings of kanji that IPADIC does not have as words, for src/text/japanese/rare-kanji.ts.

    pip install misaki==0.9.4 addict regex fugashi unidic-lite jaconv mojimoji pyopenjtalk
    python scripts/kanji-readings.py Unihan_Variants.txt UNKNOWN.txt > src/text/japanese/rare-kanji.ts

UNKNOWN.txt has the kanji of JIS X 0208 without a reading by the analyser. The script takes the most frequent reading in
words of two kanji, by expectation maximization over the ways to split UniDic's reading of the word; else UniDic's reading
of the kanji alone; else the reading of a variant in Unihan.
"""

import collections
import re
import sys
from pathlib import Path

import jaconv
from fugashi import Tagger
from misaki.cutlet import JA_WORDS

VOWEL_LENGTH = [
    (re.compile("([おこそとのほもよろごぞどぼぽょ])う"), r"\1ー"),
    (re.compile("([うくすつぬふむゆるぐずづぶぷゅ])う"), r"\1ー"),
    (re.compile("([えけせてねへめれげぜでべぺ])い"), r"\1ー"),
]


def splits(reading):
    for index in range(1, len(reading)):
        if reading[index] not in "ゃゅょっんー" and index <= 4 and len(reading) - index <= 4:
            yield reading[:index], reading[index:]


def aligned(words):
    share = collections.defaultdict(collections.Counter)
    for word, reading in words:
        ways = list(splits(reading))
        for first, second in ways:
            share[word[0]][first] += 1 / len(ways)
            share[word[1]][second] += 1 / len(ways)
    for _ in range(8):
        total = {kanji: sum(counts.values()) for kanji, counts in share.items()}
        following = collections.defaultdict(collections.Counter)
        for word, reading in words:
            ways = [
                (a, b, share[word[0]][a] / total[word[0]] * share[word[1]][b] / total[word[1]])
                for a, b in splits(reading)
            ]
            sum_of_ways = sum(way[2] for way in ways)
            for a, b, chance in ways if sum_of_ways else []:
                following[word[0]][a] += chance / sum_of_ways
                following[word[1]][b] += chance / sum_of_ways
        share = following
    return {kanji: counts.most_common(1)[0][0] for kanji, counts in share.items() if counts}


def main(variants_file, unknown_file):
    tagger = Tagger()

    def reading(text):
        words = tagger(text)
        known = len(words) == 1 and not words[0].is_unk and words[0].feature.kana
        return jaconv.kata2hira(words[0].feature.kana) if known else None

    pairs = [(w, r) for w in sorted(JA_WORDS) if re.fullmatch("[一-鿿]{2}", w) and (r := reading(w))]
    readings = aligned(pairs)
    variants = collections.defaultdict(list)
    for line in Path(variants_file).read_text().splitlines():
        if line.startswith("U+"):
            kanji, _, others = line.split("\t")
            variants[chr(int(kanji[2:], 16))] += [chr(int(c, 16)) for c in re.findall(r"U\+([0-9A-F]+)", others)]
    rows = []
    for kanji in Path(unknown_file).read_text().strip():
        others = (readings.get(other) or reading(other) for other in variants[kanji])
        kana = readings.get(kanji) or reading(kanji) or next((r for r in others if r), None)
        if kana and re.fullmatch("[ぁ-ゖー]+", kana):
            for pattern, long in VOWEL_LENGTH:
                kana = pattern.sub(long, kana)
            rows.append(kanji + kana)
    text = "".join(rows)
    lines = "\n".join(f"  '{text[start:start + 110]}'," for start in range(0, len(text), 110))
    print(
        "/** Kanji that IPADIC does not have as words, each with its kana. Made by scripts/kanji-readings.py from UniDic. */\n"
        f"export const rareKanji = [\n{lines}\n].join('');"
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
