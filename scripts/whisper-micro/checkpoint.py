"""Writes a checkpoint as the files of the official repositories, with weights in F16."""

import torch
from safetensors.torch import save_file

from network import AUDIO_POSITIONS, TEXT_POSITIONS
from vocabulary import special_names, write_json

# The heads that follow the words best (check.py --heads).
ALIGNMENT_HEADS = [[1, 0], [1, 1]]
# The reference tokenizer's non-speech symbols that are tokens here.
SYMBOLS = '"#()*+/:;<=>@[\\]^_`{|}~'


def write_checkpoint(directory, model, bpe):
    ids = {name: bpe.token_to_id(name) for name in special_names()}
    languages = {name: ids[name] for name in special_names()[2:-6]}
    state = {name: value.to(torch.float16).contiguous() for name, value in model.state_dict().items()}
    # Tied to the embedding.
    state.pop("proj_out.weight", None)
    save_file(state, str(directory / "model.safetensors"), metadata={"format": "pt"})
    forbidden = ["<|startoftranscript|>", "<|translate|>", "<|transcribe|>", "<|startoflm|>", "<|startofprev|>"]
    suppressed = sorted(bpe.token_to_id(symbol) for symbol in SYMBOLS) + [
        ids[name] for name in [*forbidden, "<|nospeech|>"]
    ]
    begin = [bpe.token_to_id("Ġ"), ids["<|endoftext|>"]]
    config = model.config.to_dict()
    for name in ("transformers_version", "dtype", "torch_dtype", "_name_or_path"):
        config.pop(name, None)
    config |= {"architectures": ["WhisperForConditionalGeneration"], "torch_dtype": "float16"}
    config |= {"begin_suppress_tokens": begin, "num_hidden_layers": config["encoder_layers"]}
    write_json(directory / "config.json", {name: config[name] for name in sorted(config)})
    end = ids["<|endoftext|>"]
    generation = {
        "alignment_heads": ALIGNMENT_HEADS,
        "begin_suppress_tokens": begin,
        "bos_token_id": end,
        "decoder_start_token_id": ids["<|startoftranscript|>"],
        "eos_token_id": end,
        "is_multilingual": True,
        "lang_to_id": languages,
        "max_initial_timestamp_index": 50,
        "max_length": TEXT_POSITIONS,
        "no_timestamps_token_id": ids["<|notimestamps|>"],
        "pad_token_id": end,
        "prev_sot_token_id": ids["<|startofprev|>"],
        "return_timestamps": False,
        "suppress_tokens": suppressed,
        "task_to_id": {task: ids[f"<|{task}|>"] for task in ("transcribe", "translate")},
    }
    write_json(directory / "generation_config.json", generation)
    seconds = AUDIO_POSITIONS // 50
    features = {
        "chunk_length": seconds,
        "feature_extractor_type": "WhisperFeatureExtractor",
        "feature_size": 80,
        "hop_length": 160,
        "n_fft": 400,
        "n_samples": seconds * 16_000,
        "nb_max_frames": seconds * 100,
        "padding_side": "right",
        "padding_value": 0.0,
        "processor_class": "WhisperProcessor",
        "return_attention_mask": False,
        "sampling_rate": 16_000,
    }
    write_json(directory / "preprocessor_config.json", features)
