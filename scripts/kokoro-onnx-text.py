"""Speaks text with kokoro-onnx, for benchmarks/voice-quality.bench.mjs.

Usage: kokoro-onnx-text.py MODEL THREADS. Needs kokoro-onnx, and node_modules for the voices. Reads one line of JSON per
text, `{text, voice, lang, path}`, writes 16-bit samples at 24 kHz to `path`, and responds with `{samples}`.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from kokoro_onnx import Kokoro

VOICES = Path(__file__).resolve().parent.parent / "node_modules/kokoro-js/voices"


def main() -> None:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(sys.argv[2])
    # Waiting threads leave the cores to the listeners.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
    packs = {
        path.stem: np.frombuffer(path.read_bytes(), dtype="<f4").reshape(510, 1, 256) for path in VOICES.glob("*.bin")
    }
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, **packs)
        file.flush()
        kokoro = Kokoro.from_session(session, file.name)
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            run = json.loads(line)
            audio, _ = kokoro.create(run["text"], voice=run["voice"], lang=run["lang"])
            Path(run["path"]).write_bytes((np.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
            print(json.dumps({"samples": len(audio)}), flush=True)


if __name__ == "__main__":
    main()
