"""Has Home Assistant's own Wyoming integration use both services:

    pip install pytest-homeassistant-custom-component wyoming zeroconf hassil home-assistant-intents webrtc-noise-gain \
        mutagen aiohttp_cors
    HEAR=localhost:10300 SAY=localhost:10200 WAV=speech.wav pytest --asyncio-mode=auto home_assistant.py

`WAV` holds English speech, 16 bits, one channel at 16 kHz.
"""

import io
import os
import wave

import pytest
from homeassistant.components import stt, tts
from homeassistant.setup import async_setup_component


@pytest.fixture(autouse=True)
def allow_connections(socket_enabled):
    """The services are not mocked."""


async def add_service(hass, address):
    assert await async_setup_component(hass, "homeassistant", {})
    host, port = os.environ[address].split(":")
    flow = await hass.config_entries.flow.async_init("wyoming", context={"source": "user"})
    done = await hass.config_entries.flow.async_configure(flow["flow_id"], {"host": host, "port": int(port)})
    assert done["type"] == "create_entry", done
    await hass.async_block_till_done()
    return done["title"]


async def test_speech_to_text(hass):
    await add_service(hass, "HEAR")
    [entity_id] = hass.states.async_entity_ids("stt")
    engine = stt.async_get_speech_to_text_engine(hass, entity_id)
    assert "en" in engine.supported_languages

    async def audio():
        with wave.open(os.environ["WAV"]) as wav:
            while chunk := wav.readframes(1024):
                yield chunk

    metadata = stt.SpeechMetadata(
        language="en",
        format=stt.AudioFormats.WAV,
        codec=stt.AudioCodecs.PCM,
        bit_rate=stt.AudioBitRates.BITRATE_16,
        sample_rate=stt.AudioSampleRates.SAMPLERATE_16000,
        channel=stt.AudioChannels.CHANNEL_MONO,
    )
    result = await engine.async_process_audio_stream(metadata, audio())
    print(result)
    assert result.result == stt.SpeechResultState.SUCCESS
    assert "ask what you can do for your country" in result.text.lower()


async def test_text_to_speech(hass):
    await add_service(hass, "SAY")
    [entity_id] = hass.states.async_entity_ids("tts")
    entity = hass.data["tts"].get_entity(entity_id)
    voices = entity.async_get_supported_voices("en-US")
    print(entity.supported_languages, len(voices))
    for voice in voices[:2]:
        extension, data = await entity.async_get_tts_audio("The kitchen light is on.", "en-US", {tts.ATTR_VOICE: voice.voice_id})
        with wave.open(io.BytesIO(data)) as wav:
            seconds = wav.getnframes() / wav.getframerate()
        assert extension == "wav" and 0.8 < seconds < 4, (extension, seconds)
