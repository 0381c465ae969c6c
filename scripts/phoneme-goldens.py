"""Writes misaki's phonemes of English sentences, for the tests of src/text/english and the benchmark.

    pip install misaki==0.9.4 spacy num2words regex addict espeakng-loader phonemizer-fork
    python scripts/phoneme-goldens.py --tagger MODEL OUT.jsonl.gz SENTENCES.txt...

SENTENCES.txt has one sentence per line; a line `# name` names the class of the sentences after it. OUT gets one JSON
object per line: {"class", "text", "us", "gb"}. It has no time stamp, so that the same input gives the same bytes.

misaki takes its parts of speech from spaCy's en_core_web_sm. MODEL is the name of that package, or the directory of
another spaCy pipeline with a `tagger` for Penn Treebank tags. As in Kokoro's own pipeline, misaki's eSpeak fallback
pronounces words that its lexicons lack.

    python scripts/phoneme-goldens.py --train MODEL UD_English-EWT

trains such a pipeline if en_core_web_sm is not available: spaCy's small convolutional tagger, on the XPOS tags of the
Universal Dependencies English Web Treebank (a git repository with a sources directory).
"""

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path


def goldens(tagger, out, files):
    import spacy
    from misaki import en, espeak

    load = spacy.load
    is_package = spacy.util.is_package
    spacy.util.is_package = lambda name: name == "en_core_web_sm" or is_package(name)
    spacy.load = lambda name, **options: load(tagger)
    say = {
        "us": en.G2P(british=False, fallback=espeak.EspeakFallback(british=False)),
        "gb": en.G2P(british=True, fallback=espeak.EspeakFallback(british=True)),
    }
    rows, name = [], ""
    for file in files:
        for line in Path(file).read_text().splitlines():
            if line.startswith("# "):
                name = line[2:]
            elif line.strip():
                row = {"class": name, "text": line.strip()}
                for accent, g2p in say.items():
                    row[accent], tokens = g2p(row["text"])
                rows.append(row)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with open(out, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as zipped:
        zipped.write(text.encode())
    print(f"{len(rows)} sentences")


def train(model, repository):
    import spacy
    from spacy.tokens import Doc, DocBin

    def git(*arguments):
        return subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True, text=True).stdout

    def sentences(text):
        for block in text.split("\n\n"):
            words, spaces, tags, joined_to = [], [], [], 0
            for line in block.splitlines():
                columns = line.split("\t")
                if line.startswith("#") or len(columns) < 10 or "." in columns[0]:
                    continue
                space = "SpaceAfter=No" not in columns[9]
                if "-" in columns[0]:
                    joined_to, last_space = int(columns[0].split("-")[1]), space
                    continue
                at = int(columns[0])
                if at <= joined_to:
                    space = at == joined_to and last_space
                words.append(columns[1])
                spaces.append(space)
                tags.append(columns[4])
            if words:
                yield words, spaces, tags

    def typeset(word, tag):
        """Books have curly quotation marks and dashes; the web treebank does not."""
        if word in ('"', "''", "``"):
            return "“" if tag == "``" else "”"
        if word in ("-", "--") and tag in (":", ","):
            return "—"
        if word == "'":
            return "‘" if tag == "``" else "’"
        return word.replace("'", "’")

    names = git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    sources = [n for n in names if n.startswith("not-to-release/sources") and n.endswith(".conllu") and "enhanced" not in n]
    dev = list(sentences(git("show", "HEAD:en_ewt-ud-dev.conllu")))
    held_out = {" ".join(words) for words, _, _ in dev}
    rows = [s for n in sources for s in sentences(git("show", f"HEAD:{n}")) if " ".join(s[0]) not in held_out]
    rows += [
        (changed, spaces, tags)
        for words, spaces, tags in rows
        if (changed := [typeset(w, t) for w, t in zip(words, tags)]) != words
    ]
    random.Random(0).shuffle(rows)
    directory = Path(model)
    directory.mkdir(parents=True, exist_ok=True)
    nlp = spacy.blank("en")
    for name, part in (("train", rows), ("dev", dev)):
        bin = DocBin(attrs=["TAG"])
        for words, spaces, tags in part:
            bin.add(Doc(nlp.vocab, words=words, spaces=spaces, tags=tags))
        bin.to_disk(directory / f"{name}.spacy")
    spacy_ = [sys.executable, "-m", "spacy"]
    config = directory / "config.cfg"
    subprocess.run([*spacy_, "init", "config", str(config), "-l", "en", "-p", "tagger", "-o", "efficiency", "--force"], check=True)
    paths = ["--paths.train", str(directory / "train.spacy"), "--paths.dev", str(directory / "dev.spacy")]
    limits = ["--training.max_steps", "4000", "--training.eval_frequency", "500"]
    subprocess.run([*spacy_, "train", str(config), *paths, *limits, "-o", str(directory)], check=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) == 3 and arguments[0] == "--train":
        train(arguments[1], arguments[2])
    elif len(arguments) > 3 and arguments[0] == "--tagger":
        goldens(arguments[1], arguments[2], arguments[3:])
    else:
        sys.exit(__doc__)
