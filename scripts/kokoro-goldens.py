"""Writes test/fixtures/kokoro-small: a small Kokoro checkpoint with random weights, and the outputs of the published
modules with it.

Run `python3 scripts/kokoro-goldens.py`, then `npm run format`. Needs torch, transformers, loguru and kokoro 0.9.4
(`pip install --no-deps kokoro` is enough). `--true-size DIRECTORY` writes a checkpoint of the official size and its
goldens to DIRECTORY instead; it needs the official config.json as `--config CONFIG`. `--keep` keeps the existing
checkpoint and only rewrites its goldens.

Noise is off. The phases of the harmonic source are summed in double precision, because float32 drifts. The decoder gets
its harmonics from a formula: the phase of an almost empty bin depends on the last bit.
"""

import argparse
import base64
import copy
import importlib.machinery
import json
import sys
import types
from collections import OrderedDict
from pathlib import Path

import numpy as np
import torch
from torch import nn

# The package's __init__ imports the phonemizer, which is not needed here.
package = types.ModuleType("kokoro")
package.__path__ = list(importlib.machinery.PathFinder.find_spec("kokoro").submodule_search_locations)
sys.modules["kokoro"] = package
import kokoro.istftnet as istftnet  # noqa: E402
import kokoro.model as published  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "test/fixtures/kokoro-small"
VOICES = ROOT / "node_modules/kokoro-js/voices"
PHONEMES = "həlˈO, ɪz ɪt?"
VOCABULARY = ' ;:,.!?—…"()“”̃ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ'


def small_config() -> dict:
    return {
        "istftnet": {
            "upsample_kernel_sizes": [20, 12],
            "upsample_rates": [10, 6],
            "gen_istft_hop_size": 5,
            "gen_istft_n_fft": 20,
            "resblock_dilation_sizes": [[1, 3, 5]] * 3,
            "resblock_kernel_sizes": [3, 7, 11],
            "upsample_initial_channel": 32,
        },
        "dim_in": 64,
        "dropout": 0.2,
        "hidden_dim": 24,
        "max_conv_dim": 512,
        "max_dur": 50,
        "multispeaker": True,
        "n_layer": 3,
        "n_mels": 80,
        "n_token": 178,
        "style_dim": 128,
        "text_encoder_kernel_size": 5,
        "plbert": {
            "hidden_size": 48,
            "num_attention_heads": 4,
            "intermediate_size": 96,
            "max_position_embeddings": 66,
            "num_hidden_layers": 4,
            "dropout": 0.1,
        },
        "vocab": {character: index + 1 for index, character in enumerate(VOCABULARY)},
    }


class ScaledDecoder(istftnet.Decoder):
    """The published decoder with widths that depend on dim_in; its code has 1024 and 64 as constants."""

    def __init__(self, dim_in, style_dim, dim_out, disable_complex=False, **istft):
        nn.Module.__init__(self)
        width, skip, out = 2 * dim_in, dim_in // 8, istft["upsample_initial_channel"]
        block = istftnet.AdainResBlk1d
        conv = lambda *args, **kwargs: istftnet.weight_norm(nn.Conv1d(*args, **kwargs))  # noqa: E731
        self.encode = block(dim_in + 2, width, style_dim)
        self.decode = nn.ModuleList(block(width + 2 + skip, width, style_dim) for _ in range(3))
        self.decode.append(block(width + 2 + skip, out, style_dim, upsample=True))
        self.F0_conv = conv(1, 1, kernel_size=3, stride=2, padding=1)
        self.N_conv = conv(1, 1, kernel_size=3, stride=2, padding=1)
        self.asr_res = nn.Sequential(conv(dim_in, skip, kernel_size=1))
        self.generator = istftnet.Generator(style_dim, disable_complex=disable_complex, **istft)


def random_modules(config: dict) -> dict[str, nn.Module]:
    decoder = istftnet.Decoder if config["hidden_dim"] == 512 else ScaledDecoder
    bert = published.CustomAlbert(published.AlbertConfig(vocab_size=config["n_token"], **config["plbert"]))
    style, width = config["style_dim"], config["hidden_dim"]
    modules = {
        "bert": bert,
        "bert_encoder": nn.Linear(bert.config.hidden_size, width),
        "predictor": published.ProsodyPredictor(style, width, config["n_layer"], config["max_dur"], config["dropout"]),
        "decoder": decoder(dim_in=width, style_dim=style, dim_out=config["n_mels"], **config["istftnet"]),
        "text_encoder": published.TextEncoder(
            width, config["text_encoder_kernel_size"], config["n_layer"], config["n_token"]
        ),
    }
    with torch.no_grad():
        for module in modules.values():
            for name, parameter in module.named_parameters():
                uniform = torch.rand_like(parameter)
                if ".alpha" in name:
                    parameter.copy_(0.5 + 1.5 * uniform)
                elif name.endswith("norm.weight") or name.endswith(("LayerNorm.weight", "gamma")):
                    parameter.copy_(0.7 + 0.6 * uniform)
                elif name.endswith(("norm.bias", "LayerNorm.bias", "beta")):
                    parameter.copy_(0.4 * uniform - 0.2)
                elif name.endswith("weight_v"):
                    parameter.normal_()
                elif name.endswith("weight_g"):
                    parameter.copy_(0.6 + 0.8 * uniform)
        predictor = modules["predictor"]
        predictor.duration_proj.linear_layer.bias.fill_(-11 if width < 512 else -14)
        predictor.duration_proj.linear_layer.weight.mul_(40)
        predictor.F0_proj.weight.mul_(100)
        predictor.F0_proj.bias.fill_(60)
        for name in without_affine(config):
            for norm in [m.norm for m in modules[name].modules() if isinstance(m, istftnet.AdaIN1d)]:
                norm.weight.fill_(1)
                norm.bias.fill_(0)
        modules["decoder"].generator.m_source.l_linear.weight.normal_()
        modules["decoder"].generator.conv_post.weight_g.mul_(0.25)
    return modules


def without_affine(config: dict) -> list[str]:
    """Modules whose instance norms are saved without weights, as in the official checkpoint; loading leaves them at 1 and
    0. The small checkpoint has weights in its decoder, to test both cases.
    """
    return ["predictor", "decoder"] if config["hidden_dim"] == 512 else ["predictor"]


def save(modules: dict[str, nn.Module], config: dict, path: Path) -> None:
    state = {}
    for name, module in modules.items():
        tensors = module.state_dict()
        for key in list(tensors):
            if name in without_affine(config) and key.endswith((".norm.weight", ".norm.bias")):
                del tensors[key]
        metadata = tensors._metadata
        state[name] = OrderedDict((f"module.{key}", value) for key, value in tensors.items())
        state[name]._metadata = metadata
    torch.save(state, path)


def encoded(values: torch.Tensor) -> dict:
    array = values.detach().squeeze(0)
    data = base64.b64encode(np.ascontiguousarray(array.numpy(), dtype="<f4").tobytes()).decode()
    return {"dims": list(array.shape), "data": data}


def harmonics(bins: int, frames: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The same formula as in the tests, so that goldens need not store it."""
    index = np.arange(bins * frames, dtype=np.float64).reshape(1, bins, frames)
    magnitude = 0.2 * (1 + np.sin(0.013 * index))
    phase = 3 * np.sin(0.37 * index)
    return torch.from_numpy(magnitude.astype(np.float32)), torch.from_numpy(phase.astype(np.float32))


@torch.no_grad()
def goldens(directory: Path, config: dict) -> dict:
    torch.rand = lambda *size, **_: torch.zeros(*size)
    torch.randn_like = torch.zeros_like
    published.Decoder = istftnet.Decoder if config["hidden_dim"] == 512 else ScaledDecoder
    model = published.KModel(repo_id="hexgrad/Kokoro-82M", config=config, model=str(directory / "kokoro-v1_0.pth")).eval()
    pack = np.frombuffer((VOICES / "af_heart.bin").read_bytes(), dtype="<f4").reshape(510, 1, 256)
    style = torch.from_numpy(pack[len(PHONEMES) - 1].copy())
    seen = {}

    def keep(name):
        return lambda _module, _inputs, output: seen.__setitem__(name, output)

    generator = model.decoder.generator
    model.bert.register_forward_hook(keep("albert"))
    model.predictor.text_encoder.register_forward_hook(keep("duration_states"))
    model.predictor.duration_proj.register_forward_hook(keep("durations"))
    model.predictor.F0_proj.register_forward_hook(keep("f0"))
    model.predictor.N_proj.register_forward_hook(keep("energy"))
    model.text_encoder.register_forward_hook(keep("text"))
    model.decoder.decode[-1].register_forward_hook(keep("decoder"))
    bins = config["istftnet"]["gen_istft_n_fft"] // 2 + 1
    transform = generator.stft.transform
    generator.stft.transform = lambda source: harmonics(bins, source.shape[-1] // 5 + 1)
    speed = 1.1
    model.decoder.register_forward_pre_hook(lambda _module, inputs: seen.__setitem__("inputs", inputs))
    output = model(PHONEMES, style, speed=speed, return_output=True)
    f0 = seen["f0"][:, 0]
    exact_waveform = in_double_precision(model.decoder)(*(value.double() for value in seen["inputs"]))
    exact = copy.deepcopy(generator.m_source).double()
    exact.l_sin_gen.forward.__func__.__globals__["torch"] = DoubleTorch(torch)
    source = exact(generator.f0_upsamp(f0.double()[:, None]).transpose(1, 2))[0]
    istftnet.torch = torch
    spectrum, phase = (part.double() for part in transform(source.float()[..., 0]))
    durations = torch.sigmoid(seen["durations"]).sum(-1)
    # Both edges, and some frames between.
    frames = [0, 1, 2, 100, 101, 777, 1500, -3, -2, -1]
    return {
        "phonemes": PHONEMES,
        "voice": "af_heart",
        "speed": speed,
        "albert": encoded(seen["albert"]),
        "durationStates": encoded(seen["duration_states"]),
        "durations": encoded(durations),
        "frames": output.pred_dur.tolist(),
        "f0": encoded(f0),
        "energy": encoded(seen["energy"][:, 0]),
        "text": encoded(seen["text"].transpose(1, 2)),
        "decoder": encoded(seen["decoder"]),
        "source": encoded(source[..., 0][:, ::7]),
        "spectrumFrames": frames,
        "spectrumReal": encoded((spectrum * torch.cos(phase))[..., frames]),
        "spectrumImaginary": encoded((spectrum * torch.sin(phase))[..., frames]),
        "waveform": encoded(output.audio[None]),
        "exactWaveform": encoded(exact_waveform.reshape(1, -1)[:, ::3].float()),
    }


def in_double_precision(decoder: nn.Module) -> nn.Module:
    """A copy with the same harmonics. Its result shows the error of float32, in the published modules too."""
    exact = copy.deepcopy(decoder).double()
    stft = exact.generator.stft
    stft.window = stft.window.double()
    transform = stft.transform
    stft.transform = lambda source: tuple(part.double() for part in transform(source))
    exact.generator.m_source = NoSource()
    return exact


class NoSource(nn.Module):
    """Replaces the harmonic source: the formula of its transform only uses its length."""

    def forward(self, pitch: torch.Tensor) -> tuple:
        return pitch, None, None


class DoubleTorch:
    """torch, with double precision in the one constructor of SineGen that names a type."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return self._inner.DoubleTensor if name == "FloatTensor" else getattr(self._inner, name)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--true-size", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    directory = options.true_size or FIXTURE
    config = json.loads(options.config.read_text()) if options.config else small_config()
    directory.mkdir(parents=True, exist_ok=True)
    published.logger.remove()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    if not options.keep:
        (directory / "config.json").write_text(json.dumps(config, ensure_ascii=False, indent=2) + "\n")
        save(random_modules(config), config, directory / "kokoro-v1_0.pth")
    golden = goldens(directory, config)
    (directory / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=1) + "\n")
    wave = np.frombuffer(base64.b64decode(golden["waveform"]["data"]), dtype="<f4")
    f0 = np.frombuffer(base64.b64decode(golden["f0"]["data"]), dtype="<f4")
    print("frames", golden["frames"], "peak", abs(wave).max(), "f0", f0.min(), f0.max())


if __name__ == "__main__":
    main()
