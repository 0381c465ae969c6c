"""Speaks phonemes with kokoro-onnx, for benchmarks/kokoro.bench.mjs.

Usage: kokoro-onnx.py DIRECTORY THREADS. scripts/kokoro-export.py writes DIRECTORY. Needs kokoro-onnx. Reads one line of
JSON per run, `{phonemes, voice, speed}`, and responds with `{ms, samples}`. Times only the model, without phonemization
and trimming.
"""

import importlib.metadata
import json
import sys
import time
from pathlib import Path

import onnxruntime
from kokoro_onnx import Kokoro


def main() -> None:
    directory, threads = Path(sys.argv[1]), int(sys.argv[2])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(directory / "kokoro.onnx"), options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(session, str(directory / "voices.npz"))
    print(json.dumps({"version": importlib.metadata.version("kokoro-onnx")}), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        voice = kokoro.get_voice_style(run["voice"])
        started = time.perf_counter()
        # `create` rejects the speeds that random weights need for a usual pace.
        audio, _ = kokoro._create_audio(run["phonemes"], voice, run["speed"])
        ms = 1000 * (time.perf_counter() - started)
        print(json.dumps({"ms": ms, "samples": len(audio)}), flush=True)


if __name__ == "__main__":
    main()
