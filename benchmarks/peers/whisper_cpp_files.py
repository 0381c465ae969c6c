"""Transcribes files with whisper.cpp, by its Python package pywhispercpp, for benchmarks/accuracy.bench.mjs.

    python3 benchmarks/peers/whisper_cpp_files.py <ggml model> <options as JSON>

The options are those of `whisper_full_params`, with `beam_size` (1 is greedy) in addition; the language is detected, everything else is
its default. Reads a line of JSON for each 16 kHz WAV file, {"path": ..., "task": ...}, and answers with one: segments, and seconds of CPU time.
"""

import json
import sys
import time

from pywhispercpp.model import Model

file, options = sys.argv[1], json.loads(sys.argv[2])
beam_size = options.pop("beam_size")
if beam_size > 1:
    options["beam_search"] = {"beam_size": beam_size, "patience": -1.0}
model = Model(
    file,
    params_sampling_strategy=int(beam_size > 1),
    redirect_whispercpp_logs_to=None,
    print_progress=False,
    # English otherwise.
    language="auto",
    **options,
)

for line in sys.stdin:
    file = json.loads(line)
    started = time.process_time()
    segments = model.transcribe(file["path"], translate=file["task"] == "translate")
    answer = {
        # Times are hundredths of a second, and texts come without their leading spaces.
        "segments": [{"start": s.t0 / 100, "end": s.t1 / 100, "text": f" {s.text}"} for s in segments],
        "seconds": time.process_time() - started,
    }
    print(json.dumps(answer), flush=True)
