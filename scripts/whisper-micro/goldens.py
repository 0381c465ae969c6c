"""Transcribes two recordings with transformers, for src/models/whisper/runtime/micro.test.ts.

    python scripts/whisper-micro/goldens.py

Needs Python 3.11, torch, transformers and soundfile. Writes test/fixtures/whisper-micro/reference.json: for each recording
the language probabilities (over the languages only, after the start of the transcript) and the tokens of greedy decoding
with timestamps, in float32.
"""

import json
from pathlib import Path

import soundfile
import torch
from transformers import WhisperForConditionalGeneration, WhisperProcessor

DIRECTORY = Path("test/fixtures/whisper-micro")


def main():
    processor = WhisperProcessor.from_pretrained(DIRECTORY)
    model = WhisperForConditionalGeneration.from_pretrained(DIRECTORY, torch_dtype=torch.float32).eval()
    languages = model.generation_config.lang_to_id
    reference = {}
    for name in ("french", "english-flite"):
        samples, rate = soundfile.read(DIRECTORY / "recordings" / f"{name}.flac", dtype="float32")
        features = processor(samples, sampling_rate=rate, return_tensors="pt").input_features
        with torch.no_grad():
            start = torch.tensor([[model.generation_config.decoder_start_token_id]])
            logits = model(features, decoder_input_ids=start).logits[0, -1]
            scores = logits[list(languages.values())].softmax(-1)
            language = max(zip(scores.tolist(), languages))[1]
            tokens = model.generate(
                features, language=language, task="transcribe", return_timestamps=True, num_beams=1, do_sample=False
            )[0]
        # Versions return more or less of the prompt; the transcript begins with a timestamp.
        timestamp = model.generation_config.no_timestamps_token_id + 1
        first = next(index for index, token in enumerate(tokens.tolist()) if token >= timestamp)
        reference[name] = {
            "languages": {code.strip("<|>"): round(score, 6) for code, score in zip(languages, scores.tolist())},
            "tokens": [token for token in tokens.tolist()[first:] if token != model.generation_config.eos_token_id],
        }
        print(name, language, processor.decode(tokens, decode_with_timestamps=True))
    (DIRECTORY / "reference.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
