"""Prepares checkpoints for benchmarks/whisper-peers.bench.mjs: one for all contestants, in the form that each loads.

    python3 benchmarks/peers/prepare.py <folder> <whisper.cpp> [preset ...]

<whisper.cpp> is its source tree, built in one or more folders below it. Needs node, and Python with faster-whisper,
transformers, torch and openai-whisper. Takes base, small and large-v3-turbo where no preset is named.

The weights are random and of the true shapes, but for the decoder's positions. Each of them is a large multiple of the
embedding of the token that is to follow, so that every contestant, with its own rules of decoding and without being
forced, writes the same text: `<|0.00|>`, 61 tokens of text, `<|30.00|>`, 63 steps in all, and then ends.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import whisper
from safetensors.numpy import load_file, save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers.convert_slow_tokenizer import TikTokenConverter

ROOT = Path(__file__).resolve().parents[2]
ASSETS = Path(whisper.__file__).parent / "assets"
STEPS = 63
# A power of two, which costs the weights' 16 bits nothing. What the layers add to a position is about 5 for each
# channel, an embedding 0.17: times 64 it outweighs that.
EMPHASIS = 64
TEXT = (
    " The harbour was quiet when the last boat came home, and nobody on the pier could say how long it had been away."
    " Two men carried the nets up to the old warehouse, while a third counted what they had brought and wrote it into"
    " a small green book. Rain began to fall before they were done, first slowly and then all at once."
)


def script(languages: int) -> tuple[list[int], str]:
    """What is to follow at each position of the decoder, and how that reads."""
    tokenizer = whisper.tokenizer.get_tokenizer(True, num_languages=languages, language="en", task="transcribe")
    text = tokenizer.encoding.encode(TEXT)[: STEPS - 2]
    assert len(text) == STEPS - 2, "The text is too short"
    _start, language, task = tokenizer.sot_sequence
    begin = tokenizer.timestamp_begin
    follows = [language, task, begin, *text, begin + 1500]
    return follows + [tokenizer.eot] * (448 - len(follows)), tokenizer.decode(text).strip()


def write_checkpoint(folder: Path, preset: str) -> None:
    code = (
        "const [folder, preset, module] = process.argv.slice(1);"
        "const { officialShapes, writeRandomWhisper } = await import(module);"
        "writeRandomWhisper(folder, { ...officialShapes[preset], block: 1_048_573 });"
    )
    module = str(ROOT / "scripts/random-whisper.mjs")
    subprocess.run(["node", "--input-type=module", "-e", code, str(folder), preset, module], check=True)
    config = json.loads((folder / "config.json").read_text())
    follows, text = script(100 if config["vocab_size"] == 51866 else 99)
    weights = load_file(folder / "model.safetensors")
    embedding = weights["model.decoder.embed_tokens.weight"]
    weights["model.decoder.embed_positions.weight"] = embedding[follows] * np.float16(EMPHASIS)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "text.txt").write_text(text + "\n")
    write_tokenizer(folder, config)


def write_tokenizer(folder: Path, config: dict) -> None:
    languages = 100 if config["vocab_size"] == 51866 else 99
    official = whisper.tokenizer.get_tokenizer(True, num_languages=languages)
    vocabulary, merges = TikTokenConverter().extract_vocab_merges_from_model(str(ASSETS / "multilingual.tiktoken"))
    tokenizer = Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    named = sorted(official.special_tokens.items(), key=lambda item: item[1])
    for name, token in named:
        added = AddedToken(name, special=token < official.timestamp_begin, normalized=False)
        add = tokenizer.add_special_tokens if added.special else tokenizer.add_tokens
        add([added])
        assert tokenizer.token_to_id(name) == token, name
    tokenizer.save(str(folder / "tokenizer.json"))

    def write(name: str, value: dict) -> None:
        (folder / name).write_text(json.dumps(value))

    end = "<|endoftext|>"
    write("tokenizer_config.json", {"tokenizer_class": "WhisperTokenizer", "eos_token": end, "unk_token": end})
    write("vocab.json", vocabulary)
    write("added_tokens.json", dict(named))
    preprocessor = {"feature_size": config["num_mel_bins"], "sampling_rate": 16000, "hop_length": 160, "n_fft": 400}
    write("preprocessor_config.json", {**preprocessor, "chunk_length": 30})


def convert_for_whisper_cpp(checkpoint: Path, source: Path, to: Path) -> None:
    to.mkdir()
    assets = ASSETS.parents[1]
    convert = [sys.executable, source / "models/convert-h5-to-ggml.py", checkpoint, assets, to]
    subprocess.run([str(part) for part in convert], check=True, stdout=subprocess.DEVNULL)
    (to / "ggml-model.bin").rename(to / "f16.bin")
    quantize = next(source.glob("*/bin/whisper-quantize"))
    subprocess.run([quantize, to / "f16.bin", to / "q8_0.bin", "q8_0"], check=True, stdout=subprocess.DEVNULL)


def convert_for_faster_whisper(checkpoint: Path, to: Path) -> None:
    from ctranslate2.converters import TransformersConverter

    files = ["tokenizer.json", "preprocessor_config.json"]
    TransformersConverter(str(checkpoint), copy_files=files).convert(str(to), quantization="int8")


def main() -> None:
    folder, source, *presets = sys.argv[1:]
    for preset in presets or ["base", "small", "large-v3-turbo"]:
        into = Path(folder) / preset
        shutil.rmtree(into, ignore_errors=True)
        checkpoint = into / "checkpoint"
        write_checkpoint(checkpoint, preset)
        convert_for_whisper_cpp(checkpoint, Path(source), into / "whisper.cpp")
        convert_for_faster_whisper(checkpoint, into / "faster-whisper")
        print(into)


if __name__ == "__main__":
    main()
