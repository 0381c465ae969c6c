"""Runs the OpenAI plugin of LiveKit Agents (`pip install livekit-agents livekit-plugins-openai`) against both services: plays
recordings to its live transcription at the speed of speech, once with the turns of `hear` and once with its own, compares
what was heard with what its request hears, and speaks a sentence:

    python scripts/clients/livekit_agents.py http://localhost:8000/v1 http://localhost:8880/v1 speech.wav dialogue.wav

Needs ffmpeg.
"""

import asyncio
import sys

from livekit import rtc
from livekit.agents import stt, utils
from livekit.plugins import openai
from recordings import at_speed_of_speech, errors, pcm, report, words

# Rooms have this rate; the plugin resamples.
RATE = 48_000
SENTENCE = "The train to Edinburgh leaves at noon."
hear_url, say_url, *paths = sys.argv[1:]


def frame(audio):
    return rtc.AudioFrame(audio, RATE, 1, len(audio) // 2)


def listener(**options):
    return openai.STT(base_url=hear_url, api_key="none", **options)


async def play(stream, path):
    async for piece in at_speed_of_speech(pcm(path, RATE), RATE, 0.01):
        stream.push_frame(frame(piece))


async def live(path, listening):
    """The final transcripts; interim ones must come before them."""
    turns, shown, unanswered = [], 0, 0
    stream = listening.stream()
    player = asyncio.create_task(play(stream, path))
    # Waiting with a time limit would end the stream.
    events = asyncio.Queue()
    reader = asyncio.create_task(read(stream, events))
    while not (player.done() and unanswered == 0):
        assert not reader.done(), reader.exception()
        try:
            event = await asyncio.wait_for(events.get(), 1)
        except asyncio.TimeoutError:
            continue
        if event.type == stt.SpeechEventType.START_OF_SPEECH:
            unanswered += 1
        elif event.type == stt.SpeechEventType.INTERIM_TRANSCRIPT:
            shown += 1
        elif event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
            turn, language = event.alternatives[0].text, event.alternatives[0].language
            assert language == "en", event
            turns.append(turn)
        elif event.type == stt.SpeechEventType.RECOGNITION_USAGE:
            unanswered -= 1
    assert shown > 0
    await stream.aclose()
    await reader
    await listening.aclose()
    return turns


async def read(stream, events):
    async for event in stream:
        events.put_nowait(event)


async def heard_at_once(audio):
    listening = listener()
    event = await listening.recognize(audio)
    await listening.aclose()
    return event.alternatives[0].text


async def speak():
    async with openai.TTS(base_url=say_url, api_key="none") as speaking:
        speech = await speaking.synthesize(SENTENCE).collect()
    heard = await heard_at_once(speech)
    wrong = errors(words(heard), words(SENTENCE))
    print(f"speech: {speech.duration:.1f} s at {speech.sample_rate} Hz, heard with {wrong} wrong words: {heard}")
    assert wrong <= 2


async def main():
    async with utils.http_context.open():
        for path in paths:
            whole = await heard_at_once(frame(pcm(path, RATE)))
            report("turns of hear", path, await live(path, listener(use_realtime=True)), whole)
            # This model has no turn detection, so that the plugin commits.
            report("turns of the plugin", path, await live(path, listener(model="gpt-live-transcribe")), whole)
        await speak()


asyncio.run(main())
