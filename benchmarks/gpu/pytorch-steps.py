"""Times Whisper in PyTorch on CUDA, in windows of 30 s that are decoded together.

python pytorch-steps.py <checkpoint> <float16 | float32> <numbers of windows, by commas>; prints JSON. Needs torch and
transformers.
"""

import json
import statistics
import sys
import time

import torch
from transformers import WhisperForConditionalGeneration

STEPS, WARM_UP, ROUNDS = 40, 8, 5
checkpoint, kind, counts = sys.argv[1:4]
model = WhisperForConditionalGeneration.from_pretrained(checkpoint, dtype=getattr(torch, kind)).cuda().eval()
mels, positions = model.config.num_mel_bins, model.config.max_source_positions
start = [1, 2, 3, 4]


def window(count):
    return torch.rand(count, mels, 2 * positions, device="cuda", dtype=model.dtype)


def begin(mel):
    encoded = model.model.encoder(mel)
    tokens = torch.tensor([start] * mel.shape[0], device="cuda")
    out = model(encoder_outputs=encoded, decoder_input_ids=tokens, use_cache=True)
    out.logits[:, -1].argmax(-1).cpu()
    return encoded, out.past_key_values


def measured(work):
    torch.cuda.synchronize()
    started = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - started)


with torch.inference_mode():
    one = window(1)
    firsts = [measured(lambda: begin(one)) for _ in range(ROUNDS + 1)]
    steps = {}
    for count in map(int, counts.split(",")):
        encoded, past = begin(window(count))
        times = []
        for step in range(STEPS):
            tokens = torch.full((count, 1), step, device="cuda")

            def run():
                global past
                out = model(encoder_outputs=encoded, decoder_input_ids=tokens, past_key_values=past, use_cache=True)
                past = out.past_key_values
                out.logits[:, -1].argmax(-1).cpu()

            times.append(measured(run))
        steps[count] = statistics.median(times[WARM_UP:])
print(json.dumps({"firstMs": statistics.median(firsts[1:]), "steps": steps}))
