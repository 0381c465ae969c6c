"""Exports the published Kokoro modules to the ONNX model that kokoro-onnx loads, for benchmarks/kokoro.bench.mjs.

Usage: kokoro-export.py CHECKPOINT OUT. CHECKPOINT is the directory of config.json and kokoro-v1_0.pth. Needs onnx and the
packages of scripts/kokoro-goldens.py. Writes OUT/kokoro.onnx and OUT/voices.npz. Transforms avoid complex numbers, as in
the export of kokoro-onnx's own model.
"""

import importlib.machinery
import sys
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
VOICE = "af_heart"


def main() -> None:
    directory, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    model = published.KModel(
        repo_id="hexgrad/Kokoro-82M",
        config=str(directory / "config.json"),
        model=str(directory / "kokoro-v1_0.pth"),
        disable_complex=True,
    ).eval()
    tokens = torch.tensor([[0, *range(43, 73), 0]])
    pack = np.frombuffer((VOICES / f"{VOICE}.bin").read_bytes(), dtype="<f4").reshape(510, 1, 256)
    torch.onnx.export(
        published.KModelForONNX(model).eval(),
        (tokens, torch.from_numpy(pack[29].copy()), torch.tensor([4.0])),
        str(out / "kokoro.onnx"),
        input_names=["tokens", "style", "speed"],
        output_names=["audio", "duration"],
        dynamic_axes={"tokens": {1: "n"}, "audio": {0: "samples"}, "duration": {0: "n"}},
        opset_version=17,
        do_constant_folding=True,
        dynamo=False,
    )
    np.savez(out / "voices.npz", **{VOICE: pack})


if __name__ == "__main__":
    main()
