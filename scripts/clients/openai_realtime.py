"""Plays recordings to `hear` at the speed of speech, by the official Python library (`pip install 'openai[realtime]'`), and
compares what was heard live with what a request hears:

    python scripts/clients/openai_realtime.py http://localhost:8000/v1 speech.wav dialogue.wav

Needs ffmpeg.
"""

import asyncio
import base64
import sys

from openai import AsyncOpenAI
from recordings import at_speed_of_speech, pcm, report

RATE = 24_000
url, *paths = sys.argv[1:]
client = AsyncOpenAI(base_url=url, api_key="none")


async def play(connection, audio):
    async for piece in at_speed_of_speech(audio, RATE, 0.1):
        await connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())


async def live(path):
    """The transcripts of the turns, and what the deltas of each had shown by then."""
    deltas, turns, shown, open_turns = {}, [], [], 0
    async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        player = asyncio.create_task(play(connection, pcm(path, RATE)))
        while not (player.done() and open_turns == 0):
            try:
                event = await asyncio.wait_for(connection.recv(), 1)
            except asyncio.TimeoutError:
                continue
            kind = event.type.removeprefix("conversation.item.input_audio_transcription.")
            assert kind != "error" and kind != "failed", event
            if event.type == "input_audio_buffer.speech_started":
                open_turns += 1
            elif kind == "delta":
                deltas[event.item_id] = deltas.get(event.item_id, "") + event.delta
            elif kind == "completed":
                assert event.item_id in deltas or event.transcript == "", event
                turns.append(event.transcript)
                shown.append(deltas.get(event.item_id, ""))
                open_turns -= 1
    return turns, shown


async def main():
    for path in paths:
        turns, shown = await live(path)
        with open(path, "rb") as file:
            whole = await client.audio.transcriptions.create(model="asr-1", file=file)
        report("live", path, turns, whole.text)
        report("deltas", path, shown, whole.text)


asyncio.run(main())
