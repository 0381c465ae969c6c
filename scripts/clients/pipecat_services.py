"""Runs the OpenAI services of Pipecat (`pip install 'pipecat-ai[openai,silero]'`) against both services: plays recordings at
the speed of speech to its live transcription, with the turns of `hear` and with its own, and to its transcription of
segments; compares what was heard with what a request hears; and speaks a sentence:

    python scripts/clients/pipecat_services.py http://localhost:8000/v1 http://localhost:8880/v1 speech.wav dialogue.wav

Needs ffmpeg.
"""

import asyncio
import io
import sys
import wave

from loguru import logger
from openai import AsyncOpenAI
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams
from pipecat.frames.frames import (
    EndFrame,
    ErrorFrame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    ProposedUserStartedSpeakingFrame,
    TranscriptionFrame,
    TTSAudioRawFrame,
    TTSSpeakFrame,
    TTSStoppedFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.openai.stt import OpenAIRealtimeSTTService, OpenAISTTService
from pipecat.services.openai.tts import OpenAITTSService
from pipecat.workers.runner import WorkerRunner
from recordings import at_speed_of_speech, errors, pcm, report, words

RATE = 16_000
SPEECH_RATE = 24_000
SENTENCE = "The train to Edinburgh leaves at noon."
MAX_ANSWER_SECONDS = 20
hear_url, say_url, *paths = sys.argv[1:]
live_url = hear_url.replace("http", "ws", 1) + "/realtime"
client = AsyncOpenAI(base_url=hear_url, api_key="none")
logger.remove()
logger.add(sys.stderr, level="WARNING")


class Frames(FrameProcessor):
    """The end of a pipeline; keeps what arrives."""

    def __init__(self):
        super().__init__()
        self.frames = []

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        assert not isinstance(frame, ErrorFrame), frame
        self.frames.append(frame)
        await self.push_frame(frame, direction)

    def of(self, kind):
        return [frame for frame in self.frames if type(frame) is kind]


async def run(services, feed):
    """Runs a pipeline while `feed` has frames for it. Returns its end."""
    end = Frames()
    params = PipelineParams(audio_in_sample_rate=RATE, audio_out_sample_rate=SPEECH_RATE)
    worker = PipelineWorker(Pipeline([*services, end]), params=params)
    failures = []

    # Some errors of services go upstream.
    @worker.event_handler("on_pipeline_error")
    async def on_pipeline_error(_worker, frame):
        failures.append(frame)

    @worker.event_handler("on_pipeline_started")
    async def on_pipeline_started(_worker, _frame):
        async for frame in feed(end):
            await worker.queue_frame(frame)
        await worker.queue_frame(EndFrame())

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()
    assert not failures, failures
    return end


async def until(condition):
    for _ in range(MAX_ANSWER_SECONDS * 10):
        if condition():
            return
        await asyncio.sleep(0.1)


async def heard(path, services, turn):
    """The transcripts of a recording, each frame of the type `turn` must get one, and the interim ones joined."""

    async def feed(end):
        async for audio in at_speed_of_speech(pcm(path, RATE), RATE, 0.02):
            yield InputAudioRawFrame(audio=audio, sample_rate=RATE, num_channels=1)
        await until(lambda: len(end.of(TranscriptionFrame)) >= len(end.of(turn)))

    end = await run(services, feed)
    return [frame.text for frame in end.of(TranscriptionFrame)], "".join(
        frame.text for frame in end.of(InterimTranscriptionFrame)
    )


def own_turns():
    return VADProcessor(vad_analyzer=SileroVADAnalyzer(params=VADParams(stop_secs=0.5)))


async def listen(path):
    with open(path, "rb") as file:
        whole = (await client.audio.transcriptions.create(model="asr-1", file=file)).text
    detection = {"type": "server_vad", "silence_duration_ms": 500}
    stt = OpenAIRealtimeSTTService(api_key="none", base_url=live_url, turn_detection=detection)
    turns, shown = await heard(path, [stt], ProposedUserStartedSpeakingFrame)
    assert shown
    report("turns of hear", path, turns, whole)
    stt = OpenAIRealtimeSTTService(api_key="none", base_url=live_url)
    turns, shown = await heard(path, [own_turns(), stt], VADUserStoppedSpeakingFrame)
    assert shown
    report("turns of Pipecat", path, turns, whole)
    stt = OpenAISTTService(api_key="none", base_url=hear_url, include_prob_metrics=True)
    turns, _ = await heard(path, [own_turns(), stt], VADUserStoppedSpeakingFrame)
    report("segments", path, turns, whole)


async def speak():
    async def feed(end):
        yield TTSSpeakFrame(SENTENCE)
        await until(lambda: end.of(TTSStoppedFrame))

    settings = OpenAITTSService.Settings(voice="marin", instructions="Speak calmly.", speed=1.1)
    end = await run([OpenAITTSService(api_key="none", base_url=say_url, settings=settings)], feed)
    audio = b"".join(frame.audio for frame in end.of(TTSAudioRawFrame))
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setparams((1, 2, SPEECH_RATE, 0, "NONE", ""))
        wav.writeframes(audio)
    answer = await client.audio.transcriptions.create(model="asr-1", file=("speech.wav", file.getvalue()))
    wrong = errors(words(answer.text), words(SENTENCE))
    print(f"speech: {len(audio) / 2 / SPEECH_RATE:.1f} s, heard with {wrong} wrong words: {answer.text}")
    assert wrong <= 2


async def main():
    for path in paths:
        await listen(path)
    await speak()


asyncio.run(main())
