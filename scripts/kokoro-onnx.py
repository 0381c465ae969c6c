"""Speaks phonemes with kokoro-onnx, for benchmarks/kokoro.bench.mjs.

Usage: kokoro-onnx.py FOLDER THREADS, with FOLDER as scripts/kokoro-export.py writes it, in a Python with kokoro-onnx.
Reads a line of JSON for each run, `{phonemes, voice, speed}`, and answers with `{ms, samples}`. One run of the model is
timed: no text is turned into phonemes, and nothing is trimmed.
"""

import importlib.metadata
import json
import sys
import time
from pathlib import Path

import onnxruntime
from kokoro_onnx import Kokoro


def main() -> None:
    folder, threads = Path(sys.argv[1]), int(sys.argv[2])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(folder / "kokoro.onnx"), options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(session, str(folder / "voices.npz"))
    print(json.dumps({"version": importlib.metadata.version("kokoro-onnx")}), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        voice = kokoro.get_voice_style(run["voice"])
        started = time.perf_counter()
        # Beneath `create`, which refuses the speeds at which random weights speak at a usual pace.
        audio, _ = kokoro._create_audio(run["phonemes"], voice, run["speed"])
        ms = 1000 * (time.perf_counter() - started)
        print(json.dumps({"ms": ms, "samples": len(audio)}), flush=True)


if __name__ == "__main__":
    main()
