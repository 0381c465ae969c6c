"""Plays recordings to `hear` at the speed of speech, by the official Python library (`pip install 'openai[realtime]'`), and
compares what was heard live with what a request hears:

    python scripts/clients/openai_realtime.py http://localhost:8000/v1 speech.wav dialogue.wav

Needs ffmpeg.
"""

import asyncio
import base64
import re
import subprocess
import sys

from openai import AsyncOpenAI

RATE = 24_000
CHUNK_SECONDS = 0.1
url, *paths = sys.argv[1:]
client = AsyncOpenAI(base_url=url, api_key="none")


def words(text):
    return re.findall(r"[\w']+", text.lower())


def errors(heard, meant):
    row = list(range(len(meant) + 1))
    for i, word in enumerate(heard, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(meant, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]


async def play(connection, pcm):
    started = asyncio.get_running_loop().time()
    size = int(CHUNK_SECONDS * RATE) * 2
    for index, offset in enumerate(range(0, len(pcm), size)):
        await asyncio.sleep(started + index * CHUNK_SECONDS - asyncio.get_running_loop().time())
        await connection.input_audio_buffer.append(audio=base64.b64encode(pcm[offset : offset + size]).decode())


async def live(path):
    """The transcripts of the turns; the deltas of each, joined, must be the same."""
    pcm = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout
    deltas, turns, open_turns = {}, [], 0
    async with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        # Silence at the end closes the last turn.
        player = asyncio.create_task(play(connection, pcm + bytes(2 * RATE * 2)))
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
                assert deltas.get(event.item_id, "") == event.transcript, event
                turns.append(event.transcript)
                open_turns -= 1
    return turns


async def main():
    for path in paths:
        turns = await live(path)
        with open(path, "rb") as file:
            whole = await client.audio.transcriptions.create(model="asr-1", file=file)
        meant = words(whole.text)
        wrong = errors(words(" ".join(turns)), meant)
        print(f"{path}: {len(turns)} turns, {wrong} of {len(meant)} words other than by request")
        for turn in turns:
            print(f"  {turn}")


asyncio.run(main())
