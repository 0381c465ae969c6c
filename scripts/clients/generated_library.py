"""Calls `hear` with a client that openapi-python-client generated from its description:

    pip install openapi-python-client
    openapi-python-client generate --url http://localhost:8000/openapi.json --output-path generated
    PYTHONPATH=generated python scripts/clients/generated_library.py http://localhost:8000 speech.wav
"""

import sys

from hearsay_transcription_client import Client
from hearsay_transcription_client.api.audio import create_transcription
from hearsay_transcription_client.api.models import list_models
from hearsay_transcription_client.models import (
    CreateTranscriptionBody,
    CreateTranscriptionBodyIncludeItem,
    CreateTranscriptionBodyResponseFormat,
    CreateTranscriptionBodyTimestampGranularitiesItem,
    Transcription,
    TranscriptionVerbose,
)
from hearsay_transcription_client.types import File

url, path = sys.argv[1:]
client = Client(base_url=url, timeout=120)


def transcribe(**options):
    with open(path, "rb") as file:
        body = CreateTranscriptionBody(file=File(payload=file, file_name="speech"), **options)
        return create_transcription.sync(client=client, body=body)


assert isinstance(transcribe(), Transcription)
tokens = transcribe(include=[CreateTranscriptionBodyIncludeItem.LOGPROBS], languages=["en", "de"], keywords=["a, b"])
assert isinstance(tokens, Transcription) and tokens.logprobs[0].token and tokens.usage.seconds > 0
verbose = transcribe(
    response_format=CreateTranscriptionBodyResponseFormat.VERBOSE_JSON,
    timestamp_granularities=[CreateTranscriptionBodyTimestampGranularitiesItem.WORD],
)
assert isinstance(verbose, TranscriptionVerbose) and verbose.segments[0].text and verbose.words[0].word
assert list_models.sync(client=client).data[0].id == "asr-1"
print("The generated client parses json, verbose_json and lists")
