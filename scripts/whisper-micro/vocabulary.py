"""Writes the vocabulary of the micro Whisper as the files of the official repositories: 256 bytes, merges learned from
the sentences, and large-v3's special tokens in order (100 languages, timestamps up to 30 s)."""

import json

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers.models.whisper.tokenization_whisper import LANGUAGES

MERGES = 240
TIMESTAMPS = [f"<|{index * 0.02:.2f}|>" for index in range(1501)]


def special_names():
    names = ["<|endoftext|>", "<|startoftranscript|>", *(f"<|{code}|>" for code in LANGUAGES)]
    tasks = ["<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]
    return names + tasks


def byte_letters():
    """The letters for bytes, in the order of GPT-2's vocabulary."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printed]
    return [chr(byte) for byte in printed] + [chr(256 + index) for index in range(len(others))]


def merges_of(texts):
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES, min_frequency=1, initial_alphabet=byte_letters(), show_progress=False
    )
    # A single space may not be the first token (begin_suppress_tokens): merge it with every letter.
    letters = [f" {letter}" for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    bpe.train_from_iterator([*letters * 1000, *(f" {text}" for text in texts)], trainer)
    return [tuple(merge) for merge in json.loads(bpe.to_str())["model"]["merges"]]


def write_vocabulary(directory, texts):
    directory.mkdir(parents=True, exist_ok=True)
    merges = merges_of(texts)
    vocabulary = {name: index for index, name in enumerate([*byte_letters(), *(a + b for a, b in merges)])}
    bpe = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, continuing_subword_prefix="", end_of_word_suffix=""))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in special_names()])
    bpe.add_tokens([AddedToken(name, special=False, normalized=False) for name in TIMESTAMPS])
    around = ["<|startoftranscript|>", "<|notimestamps|>", "<|endoftext|>"]
    bpe.post_processor = processors.TemplateProcessing(
        single="<|startoftranscript|> <|notimestamps|> $A <|endoftext|>",
        special_tokens=[(name, bpe.token_to_id(name)) for name in around],
    )
    bpe.save(str(directory / "tokenizer.json"), pretty=False)
    end = bpe.token_to_id("<|endoftext|>")
    write_json(directory / "vocab.json", vocabulary | {"<|endoftext|>": end})
    write_json(directory / "added_tokens.json", {n: bpe.token_to_id(n) for n in [*special_names()[1:], *TIMESTAMPS]})
    lines = ["#version: 0.2", *(" ".join(merge) for merge in merges)]
    (directory / "merges.txt").write_text("\n".join(lines) + "\n")
    tokens = {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}
    write_json(directory / "special_tokens_map.json", tokens | {"additional_special_tokens": special_names()[1:]})
    settings = {"add_prefix_space": False, "errors": "replace", "model_max_length": 1024}
    settings |= {"pad_token": "<|endoftext|>", "processor_class": "WhisperProcessor"}
    write_json(directory / "tokenizer_config.json", tokens | settings | {"tokenizer_class": "WhisperTokenizer"})
    return bpe


def write_json(path, value):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1 if len(str(value)) < 20_000 else None) + "\n")
