"""Calls both services with the official Python library: pip install openai.

    python scripts/clients/openai_library.py http://localhost:8000 http://localhost:8880 speech.wav
"""

import base64
import json
import sys

import openai

hear_url, say_url, path = sys.argv[1:]
hear = openai.OpenAI(base_url=f"{hear_url}/v1", api_key="none", max_retries=0)
say = openai.OpenAI(base_url=f"{say_url}/v1", api_key="none", max_retries=0)


def transcribe(**options):
    with open(path, "rb") as file:
        return hear.audio.transcriptions.create(file=file, model="gpt-4o-transcribe", **options)


plain = transcribe()
assert plain.text and plain.usage is None, plain

answer = transcribe(include=["logprobs"], chunking_strategy="auto")
assert "".join(each.token for each in answer.logprobs) == answer.text
assert all(each.logprob <= 0 for each in answer.logprobs)
assert answer.usage.type == "duration" and answer.usage.seconds > 0

vad = {"type": "server_vad", "threshold": 0.4, "silence_duration_ms": 1000}
asked = transcribe(chunking_strategy=vad, extra_body={"languages": ["en"], "keywords": ["Kennedy"]})
assert asked.text and asked.languages[0].code == "en"

verbose = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
assert verbose.words and verbose.segments and verbose.usage.seconds == verbose.duration

events = list(transcribe(stream=True, include=["logprobs"]))
assert "".join(event.delta for event in events[:-1]) == events[-1].text == answer.text
assert events[-1].type == "transcript.text.done" and events[-1].logprobs

try:
    with open(path, "rb") as file:
        voice = "data:audio/wav;base64," + base64.b64encode(file.read()).decode()
    diarized = transcribe(response_format="diarized_json", chunking_strategy="auto")
    assert diarized.segments[0].speaker == "A" and diarized.duration > 0, diarized
    assert "".join(each.text for each in diarized.segments).strip() == diarized.text
    assert transcribe(response_format="srt", extra_body={"speakers": True}).startswith("1\n"), "no subtitles"
    if diarized.duration <= 10:
        known = {"known_speaker_names": ["Ann"], "known_speaker_references": [voice]}
        assert transcribe(response_format="diarized_json", **known).segments[0].speaker == "Ann"
    events = list(transcribe(response_format="diarized_json", stream=True))
    segments = [event for event in events if event.type == "transcript.text.segment"]
    assert [each.speaker for each in segments] == [each.speaker for each in diarized.segments]
    assert events[-1].type == "transcript.text.done" and events[-1].text == diarized.text
except openai.BadRequestError as error:
    # Without a model that tells speakers apart.
    assert error.param == "response_format" and str(error.code) == "400"

speech = say.audio.speech.create(model="tts-1", voice="alloy", input="Hello there.", response_format="wav")
assert speech.content[:4] == b"RIFF"

with say.audio.speech.with_streaming_response.create(
    model="gpt-4o-mini-tts-2025-12-15",
    voice="marin",
    input="Hello there.",
    instructions="Speak calmly.",
    response_format="pcm",
    stream_format="sse",
) as response:
    events = [json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: ")]
audio = b"".join(base64.b64decode(event["audio"]) for event in events[:-1])
assert len(audio) > 20_000 and events[-1]["type"] == "speech.audio.done", events[-1]

print(f"openai {openai.__version__}: all calls answered as its types say")
