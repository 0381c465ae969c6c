"""Calls both services by way of LiteLLM, as its proxy does: pip install litellm.

    python scripts/clients/litellm_library.py http://localhost:8000 http://localhost:8880 speech.wav
"""

import sys

import litellm

hear_url, say_url, path = sys.argv[1:]
hear = {"api_base": f"{hear_url}/v1", "api_key": "none", "num_retries": 0}
say = {"api_base": f"{say_url}/v1", "api_key": "none", "num_retries": 0}


def transcribe(model, **options):
    with open(path, "rb") as file:
        return litellm.transcription(model=model, file=file, **hear, **options)


for model in ("openai/whisper-1", "openai/asr-1", "openai/gpt-4o-transcribe", "hosted_vllm/whisper-large-v3"):
    text = transcribe(model).text
    assert text, model
    words = transcribe(model, response_format="verbose_json", timestamp_granularities=["word"])
    assert words.words and words.segments and words.usage.seconds > 0, words
    assert text.split()[0] in transcribe(model, response_format="text", language="en").text
    assert " --> " in transcribe(model, response_format="srt").text
    assert transcribe(model, response_format="vtt").text.startswith("WEBVTT")
    print(model, text[:60])

for model in ("openai/tts-1", "openai/gpt-4o-mini-tts", "openai/kokoro"):
    speech = litellm.speech(model=model, input="Hello there.", voice="alloy", response_format="wav", **say)
    assert speech.content[:4] == b"RIFF", model
    print(model, len(speech.content), "bytes")
