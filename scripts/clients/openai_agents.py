"""Listens and speaks with the voice pipeline of the OpenAI Agents SDK, to a recording and live: pip install 'openai-agents[voice]'.

    python scripts/clients/openai_agents.py http://localhost:8000 http://localhost:8880 speech.wav

The recording holds English speech, 16 bits in one channel. Instead of asking a language model, the workflow says what it has heard.
With API_KEY set, give its value as a fourth argument. Needs ffmpeg.
"""

import asyncio
import sys
import wave

import numpy
import openai
from agents import set_tracing_disabled
from agents.voice import (
    AudioInput,
    OpenAISTTModel,
    OpenAITTSModel,
    StreamedAudioInput,
    STTModelSettings,
    TTSModelSettings,
    VoicePipeline,
    VoicePipelineConfig,
    VoiceWorkflowBase,
)
from recordings import at_speed_of_speech, pcm, report

hear_url, say_url, path = sys.argv[1:4]
key = sys.argv[4] if len(sys.argv) > 4 else "none"


class Echo(VoiceWorkflowBase):
    def __init__(self):
        self.heard = []

    async def run(self, transcription):
        self.heard.append(transcription)
        yield "You said: "
        yield transcription


def pipeline(workflow, key=key, voice="nova", model="gpt-4o-mini-tts"):
    hear = openai.AsyncOpenAI(base_url=f"{hear_url}/v1", api_key=key, max_retries=0)
    say = openai.AsyncOpenAI(base_url=f"{say_url}/v1", api_key=key, max_retries=0)
    config = VoicePipelineConfig(
        stt_settings=STTModelSettings(language="en", prompt="A speech.", temperature=0.2),
        tts_settings=TTSModelSettings(voice=voice, speed=1.2, instructions="Speak calmly."),
        tracing_disabled=True,
    )
    return VoicePipeline(
        workflow=workflow,
        stt_model=OpenAISTTModel("gpt-4o-transcribe", hear),
        tts_model=OpenAITTSModel(model, say),
        config=config,
    )


async def converse(recording, **options):
    workflow = Echo()
    result = await pipeline(workflow, **options).run(recording)
    spoken, events = [], []
    async for event in result.stream():
        if event.type == "voice_stream_event_audio":
            spoken.append(event.data)
        else:
            events.append(getattr(event, "event", event.type))
    return workflow.heard, numpy.concatenate([each for each in spoken if each is not None]), events


async def fails(recording, **options):
    try:
        await converse(recording, **options)
    except Exception as error:
        return str(error)
    raise AssertionError(f"no error with {options}")


async def main():
    set_tracing_disabled(True)
    with wave.open(path) as wav:
        samples = numpy.frombuffer(wav.readframes(wav.getnframes()), numpy.int16)
        recording = AudioInput(buffer=samples, frame_rate=wav.getframerate())

    [heard], spoken, events = await converse(recording)
    assert heard and len(spoken) > 24_000 and events[-1] == "session_ended", (heard, len(spoken), events)
    print(heard, f"{len(spoken) / 24_000:.1f} s of speech", events)

    live = StreamedAudioInput()

    async def speak():
        async for piece in at_speed_of_speech(pcm(path, 24_000), 24_000, 0.1):
            await live.add_audio(numpy.frombuffer(piece, numpy.int16))
        await live.add_audio(None)

    [(turns, spoken, events), _] = await asyncio.gather(converse(live), speak())
    assert turns and len(spoken) > 24_000 and events[-1] == "session_ended", (turns, len(spoken), events)
    report("Agents SDK, live", path, turns, heard)

    assert "nobody" in await fails(recording, voice="nobody")
    if key != "none":
        assert "401" in await fails(recording, key="wrong")


asyncio.run(main())
