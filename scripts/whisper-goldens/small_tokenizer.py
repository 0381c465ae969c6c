"""Writes a small tokenizer.json of the `tokenizers` library, and lines that the library encoded with it.

    pip install tokenizers
    python scripts/whisper-goldens/small_tokenizer.py test/fixtures/whisper/small-tokenizer.json
    npx biome format --write test/fixtures/whisper/small-tokenizer.json
"""

import json
import random
import sys

from tokenizer import SENTENCES, make_lines
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

SPECIAL = ["endoftext", "startoftranscript", "en", "fr", "translate", "transcribe", "startofprev", "nocaptions", "notimestamps"]


def main(path):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([SENTENCES["latin"], SENTENCES["cyrillic"], SENTENCES["han"]], trainer)
    lines = random.Random(3).sample(make_lines(), 60)
    lines = [line for line in lines if "<|" not in line]
    tokens = [tokenizer.encode(line).ids for line in lines]
    tokenizer.add_special_tokens([AddedToken(f"<|{name}|>", normalized=False) for name in SPECIAL])
    tokenizer.add_tokens([AddedToken(f"<|{step / 50:.2f}|>", normalized=False) for step in range(101)])
    golden = {"tokenizer": json.loads(tokenizer.to_str()), "lines": lines, "tokens": tokens}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(golden, file, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
