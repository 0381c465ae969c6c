"""Speaks phonemes with the published Kokoro modules in PyTorch eager mode, for benchmarks/kokoro.bench.mjs.

Usage: python3 scripts/kokoro-eager.py DIRECTORY THREADS. DIRECTORY has config.json and kokoro-v1_0.pth. Needs the same
packages as scripts/kokoro-goldens.py. Reads one line of JSON per run, `{phonemes, voice, speed}`, and responds with
`{ms, samples, durations}`.
"""

import importlib.machinery
import json
import sys
import time
import types
import warnings
from pathlib import Path

import numpy as np
import torch

warnings.simplefilter("ignore")
package = types.ModuleType("kokoro")
package.__path__ = list(importlib.machinery.PathFinder.find_spec("kokoro").submodule_search_locations)
sys.modules["kokoro"] = package
import kokoro.model as published  # noqa: E402

VOICES = Path(__file__).resolve().parent.parent / "node_modules/kokoro-js/voices"


def main() -> None:
    directory, threads = Path(sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(threads)
    published.logger.remove()
    model = published.KModel(
        repo_id="hexgrad/Kokoro-82M", config=str(directory / "config.json"), model=str(directory / "kokoro-v1_0.pth")
    ).eval()
    print(json.dumps({"version": torch.__version__}), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        pack = np.frombuffer((VOICES / f"{run['voice']}.bin").read_bytes(), dtype="<f4").reshape(510, 1, 256)
        style = torch.from_numpy(pack[len(run["phonemes"]) - 1].copy())
        started = time.perf_counter()
        output = model(run["phonemes"], style, speed=run["speed"], return_output=True)
        ms = 1000 * (time.perf_counter() - started)
        print(json.dumps({"ms": ms, "samples": len(output.audio), "durations": output.pred_dur.tolist()}), flush=True)


if __name__ == "__main__":
    main()
