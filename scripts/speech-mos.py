"""Predicts mean opinion scores of speech with DNSMOS, for benchmarks/voice-quality.bench.mjs.

Usage: speech-mos.py. Needs speechmos and librosa. Reads one line of JSON per recording, `{path}`, with 16-bit samples at
24 kHz, and responds with `{overall, quality}`: the overall score of DNSMOS P.835 (Reddy, Gopal, Cutler 2022) and that of P.808
(2021), 1 to 5.
"""

import json
import sys

import librosa
import numpy as np
import onnxruntime

# Of one thread: the sessions of speechmos would keep every core spinning between recordings, and slow what makes them.
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
Session = onnxruntime.InferenceSession
onnxruntime.InferenceSession = lambda path: Session(path, options, providers=["CPUExecutionProvider"])

from speechmos import dnsmos  # noqa: E402

# 9.01 s at 24 kHz, what one run of the model takes.
LENGTH = 216240


def main() -> None:
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        samples = np.fromfile(json.loads(line)["path"], dtype="<i2").astype(np.float32) / 32768
        # A recording is repeated up to one input of the model, as speechmos does, which would then score six more of the same.
        if len(samples) < LENGTH:
            samples = np.resize(samples, LENGTH)
        # The model refuses overshoots of the resampler.
        resampled = np.clip(librosa.resample(samples, orig_sr=24000, target_sr=16000), -1, 1)
        scores = dnsmos.run(resampled, sr=16000)
        print(json.dumps({"overall": float(scores["ovrl_mos"]), "quality": float(scores["p808_mos"])}), flush=True)


if __name__ == "__main__":
    main()
