"""Finds the speakers of files with senko, for benchmarks/diarization.bench.mjs.

    python3 benchmarks/peers/senko_files.py

Everything is senko's default on a CPU. Reads a line of JSON for each file, {"path": ...}, and answers with one: its segments, before
and after it merges them, and seconds of CPU time. Says {} once it is ready.
"""

import json
import sys
import time

import senko

diarizer = senko.Diarizer(device="cpu", warmup=False, quiet=True)
print("{}", flush=True)

for line in sys.stdin:
    started = time.process_time()
    result = diarizer.diarize(json.loads(line)["path"], generate_colors=False)
    answer = {"seconds": time.process_time() - started}
    for name in ("raw_segments", "merged_segments"):
        answer[name] = [
            {"start": float(s["start"]), "end": float(s["end"]), "speaker": s["speaker"]} for s in (result or {}).get(name, [])
        ]
    print(json.dumps(answer), flush=True)
