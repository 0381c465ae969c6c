"""The shape of the micro Whisper, and its forward pass for training: on windows shorter than the model's, with the
cross-attention of the last layer."""

import torch
from torch.nn import functional as F
from transformers import WhisperConfig, WhisperForConditionalGeneration

WIDTH, HEADS, LAYERS, FEED_FORWARD = 128, 4, 2, 384
AUDIO_POSITIONS, TEXT_POSITIONS = 500, 192
GUIDED_HEADS = 2


def new_model(vocabulary_size, end, start):
    return WhisperForConditionalGeneration(
        WhisperConfig(
            vocab_size=vocabulary_size,
            num_mel_bins=80,
            d_model=WIDTH,
            encoder_layers=LAYERS,
            decoder_layers=LAYERS,
            encoder_attention_heads=HEADS,
            decoder_attention_heads=HEADS,
            encoder_ffn_dim=FEED_FORWARD,
            decoder_ffn_dim=FEED_FORWARD,
            max_source_positions=AUDIO_POSITIONS,
            max_target_positions=TEXT_POSITIONS,
            pad_token_id=end,
            bos_token_id=end,
            eos_token_id=end,
            decoder_start_token_id=start,
            dropout=0.0,
            use_cache=True,
        )
    )


def split(states):
    batch, length, width = states.shape
    return states.view(batch, length, HEADS, width // HEADS).transpose(1, 2)


def joined(states):
    batch, heads, length, size = states.shape
    return states.transpose(1, 2).reshape(batch, length, heads * size)


def attention(module, queries, source, causal=False, probabilities=False):
    q, k, v = split(module.q_proj(queries)), split(module.k_proj(source)), split(module.v_proj(source))
    if not probabilities:
        return module.out_proj(joined(F.scaled_dot_product_attention(q, k, v, is_causal=causal))), None
    scores = (q @ k.transpose(2, 3)) * (WIDTH // HEADS) ** -0.5
    weights = scores.softmax(-1)
    return module.out_proj(joined(weights @ v)), weights


def feed_forward(layer, states):
    return states + layer.fc2(F.gelu(layer.fc1(layer.final_layer_norm(states))))


def encode(model, mel):
    encoder = model.model.encoder
    states = F.gelu(encoder.conv2(F.gelu(encoder.conv1(mel)))).transpose(1, 2)
    states = states + encoder.embed_positions.weight[: states.shape[1]]
    for layer in encoder.layers:
        normal = layer.self_attn_layer_norm(states)
        states = feed_forward(layer, states + attention(layer.self_attn, normal, normal)[0])
    return encoder.layer_norm(states)


def decode(model, tokens, audio):
    """@returns states [batch, length, width], cross-attention of the last layer [batch, heads, length, audio]"""
    decoder = model.model.decoder
    states = decoder.embed_tokens(tokens) + decoder.embed_positions.weight[: tokens.shape[1]]
    weights = None
    for layer in decoder.layers:
        normal = layer.self_attn_layer_norm(states)
        states = states + attention(layer.self_attn, normal, normal, causal=True)[0]
        last = layer is decoder.layers[-1]
        heard, weights = attention(layer.encoder_attn, layer.encoder_attn_layer_norm(states), audio, probabilities=last)
        states = feed_forward(layer, states + heard)
    return decoder.layer_norm(states), weights


def logits(model, states):
    return states @ model.model.decoder.embed_tokens.weight.T
