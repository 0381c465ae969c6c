"""Writes test/fixtures/campplus.golden.json: outputs of 3D-Speaker's code with the small random checkpoint of the tests.

    WRITE_CAMPPLUS=/tmp/small.pt npx vitest run src/models/campplus/graph
    python3 scripts/campplus-goldens.py <clone of modelscope/3D-Speaker> /tmp/small.pt

Needs torch, torchaudio and numpy.
"""

import json
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, sys.argv[1])
from speakerlab.models.campplus import DTDNN, layers  # noqa: E402

HEAD, INITIAL, GROWTH, BOTTLENECK, BLOCKS, EMBEDDING = 8, 16, 8, 16, (2, 1, 3), 12
FRAMES = [148, 47]


def network() -> torch.nn.Module:
    """As CAMPPlus, whose blocks have a fixed number of layers."""
    model = DTDNN.CAMPPlus(
        embedding_size=EMBEDDING, growth_rate=GROWTH, bn_size=BOTTLENECK // GROWTH, init_channels=INITIAL
    )
    model.head = DTDNN.FCM(m_channels=HEAD, feat_dim=80)
    parts = {"tdnn": layers.TDNNLayer(HEAD * 10, INITIAL, 5, stride=2, padding=-1)}
    channels = INITIAL
    for index, (count, dilation) in enumerate(zip(BLOCKS, (1, 2, 2))):
        parts[f"block{index + 1}"] = layers.CAMDenseTDNNBlock(
            num_layers=count, in_channels=channels, out_channels=GROWTH, bn_channels=BOTTLENECK, kernel_size=3,
            dilation=dilation,
        )
        channels += count * GROWTH
        parts[f"transit{index + 1}"] = layers.TransitLayer(channels, channels // 2, bias=False)
        channels //= 2
    parts["out_nonlinear"] = layers.get_nonlinear("batchnorm-relu", channels)
    parts["stats"] = layers.StatsPool()
    parts["dense"] = layers.DenseLayer(channels * 2, EMBEDDING, config_str="batchnorm_")
    model.xvector = torch.nn.Sequential()
    for name, part in parts.items():
        model.xvector.add_module(name, part)
    return model


def wave(count: int, fast: float, slow: float) -> np.ndarray:
    """The same formula as in the tests."""
    index = np.arange(count, dtype=np.float64)
    return (np.sin(fast * index) * np.cos(slow * index)).astype(np.float32)


def banks(samples: np.ndarray) -> np.ndarray:
    from torchaudio.compliance import kaldi

    return kaldi.fbank(torch.from_numpy(samples)[None], num_mel_bins=80, sample_frequency=16000, dither=0).numpy()


model = network()
state = torch.load(sys.argv[2], weights_only=True)
missing = model.load_state_dict(state, strict=False)
assert not missing.unexpected_keys and all(key.endswith("num_batches_tracked") for key in missing.missing_keys), missing
model.eval()
golden = {"embeddings": [], "banks": []}
with torch.no_grad():
    for frames in FRAMES:
        features = torch.from_numpy(wave(2 * frames * 80, 0.37, 0.011)).reshape(2, 80, frames)
        golden["embeddings"].append(
            {"frames": frames, "values": [round(float(value), 6) for value in model(features.transpose(1, 2)).flatten()]}
        )
sound = 0.3 * wave(4000, 0.21, 0.0007) + 0.01
golden["banks"] = [[round(float(value), 4) for value in frame] for frame in banks(sound)[[0, 11, 22]]]
path = Path(__file__).resolve().parent.parent / "test/fixtures/campplus.golden.json"
path.write_text(json.dumps(golden) + "\n")
