"""Transcribes with faster-whisper's weights in float32 and int8, for benchmarks/whisper-int8.bench.mjs.

Usage: whisper-int8.py WHISPER. WHISPER is a directory that faster-whisper reads. Reads one line of JSON per recording,
`{path, language}`, and responds with `{float32, int8}`: the `tokens` of the greedy text of each, and the log probabilities
(`logprobs`) that each gives to the text of float32.
"""

import json
import math
import sys

from faster_whisper import WhisperModel, decode_audio
from faster_whisper.audio import pad_or_trim
from faster_whisper.tokenizer import Tokenizer


def main() -> None:
    models = {name: WhisperModel(sys.argv[1], device="cpu", compute_type=name) for name in ("float32", "int8")}
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        samples = decode_audio(run["path"])
        answers: dict[str, dict] = {}
        for name, whisper in models.items():
            features = pad_or_trim(whisper.feature_extractor(samples)[..., :3000])
            encoded = whisper.encode(features)
            tokenizer = Tokenizer(whisper.hf_tokenizer, True, task="transcribe", language=run["language"])
            start = list(tokenizer.sot_sequence)
            prompt = [*start, tokenizer.timestamp_begin]
            (found,) = whisper.model.generate(encoded, [prompt], beam_size=1, sampling_temperature=0)
            tokens = [token for token in found.sequences_ids[0] if token < tokenizer.eot]
            text = answers["float32"]["tokens"] if answers else tokens
            (aligned,) = whisper.model.align(encoded, start, [text], features.shape[-1] // 2)
            logprobs = [math.log(max(probability, 1e-6)) for probability in aligned.text_token_probs]
            answers[name] = {"tokens": tokens, "logprobs": logprobs}
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
