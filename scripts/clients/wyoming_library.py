"""Calls both services over Wyoming with its Python library: pip install wyoming.

    python scripts/clients/wyoming_library.py tcp://localhost:10300 tcp://localhost:10200 speech.wav
"""

import asyncio
import sys
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStop, wav_to_chunks
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)

hear_uri, say_uri, path = sys.argv[1:]


async def describe(client):
    await client.write_event(Describe().event())
    return Info.from_event(await client.read_event())


async def samples_until(client, last):
    samples = 0
    while True:
        event = await client.read_event()
        if AudioChunk.is_type(event.type):
            samples += AudioChunk.from_event(event).samples
        if last.is_type(event.type):
            return samples


async def main():
    async with AsyncClient.from_uri(hear_uri) as client:
        assert (await describe(client)).asr[0].models
        await client.write_event(Transcribe(language="en").event())
        with wave.open(path) as file:
            for event in wav_to_chunks(file, 1024, start_event=True, stop_event=True):
                await client.write_event(event.event())
        assert Transcript.from_event(await client.read_event()).text

    async with AsyncClient.from_uri(say_uri) as client:
        program = (await describe(client)).tts[0]
        assert program.voices and program.supports_synthesize_streaming
        voice = SynthesizeVoice(name=program.voices[0].name)
        await client.write_event(Synthesize(text="Hello from home.", voice=voice).event())
        assert await samples_until(client, AudioStop) > 10_000
        await client.write_event(SynthesizeStart(voice=SynthesizeVoice(language="en-US")).event())
        for text in ("Hello. How ", "are you", "?"):
            await client.write_event(SynthesizeChunk(text=text).event())
        await client.write_event(SynthesizeStop().event())
        assert await samples_until(client, SynthesizeStopped) > 10_000
    print("wyoming: both services answered")


asyncio.run(main())
