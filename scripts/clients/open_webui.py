"""Uses both services by way of Open WebUI, as its page does. In a new environment (`pip install open-webui`, Python 3.11 or
3.12), with ffmpeg:

    DATA_DIR=open-webui-data WEBUI_SECRET_KEY=any OFFLINE_MODE=true RAG_EMBEDDING_ENGINE=openai \
    AUDIO_STT_ENGINE=openai AUDIO_STT_OPENAI_API_BASE_URL=http://localhost:8000/v1 AUDIO_STT_OPENAI_API_KEY=none \
    AUDIO_STT_MODEL=asr-1 AUDIO_TTS_ENGINE=openai AUDIO_TTS_OPENAI_API_BASE_URL=http://localhost:8880/v1 \
    AUDIO_TTS_OPENAI_API_KEY=none AUDIO_TTS_MODEL=tts-1 AUDIO_TTS_VOICE=af_heart \
        open-webui serve --host 127.0.0.1 --port 8080
    python scripts/clients/open_webui.py http://localhost:8080 http://localhost:8000/v1 speech.wav

The first run creates the administrator; a later one signs in.
"""

import mimetypes
import os
import subprocess
import sys

import requests
from recordings import errors, words

SENTENCE = "The train to Edinburgh leaves at noon."
PASSWORD = "A-long-password-of-1-test"
url, hear_url, *paths = sys.argv[1:]
session = requests.Session()


def call(method, path, **options):
    response = session.request(method, f"{url}/api/v1{path}", timeout=600, **options)
    assert response.ok, f"{method} {path}: {response.status_code} {response.text}"
    return response


def sign_in():
    account = {"name": "Test", "email": "test@example.org", "password": PASSWORD}
    response = session.post(f"{url}/api/v1/auths/signup", json=account, timeout=60)
    answer = response.json() if response.ok else call("POST", "/auths/signin", json=account).json()
    session.headers["Authorization"] = f"Bearer {answer['token']}"


def transcribed(name, data, content_type, **fields):
    return call("POST", "/audio/transcriptions", files={"file": (name, data, content_type)}, data=fields).json()["text"]


def ask_format(name):
    """What an administrator chooses in Settings, Audio."""
    config = call("GET", "/audio/config").json()
    config["stt"]["OPENAI_API_REQUEST_FORMAT"] = name
    # The page leaves out what another engine has.
    changed = {part: {k: "" if v is None else v for k, v in config[part].items()} for part in ("stt", "tts")}
    changed["tts"]["OPENAI_PARAMS"] = config["tts"]["OPENAI_PARAMS"] or {}
    assert call("POST", "/audio/config/update", json=changed).json()["stt"]["OPENAI_API_REQUEST_FORMAT"] == name


def as_browser(path):
    """What the microphone of a browser records."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-ac", "1", "-c:a", "libopus", "-f", "webm", "-"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


sign_in()
for path in paths:
    with open(path, "rb") as file:
        data = file.read()
    kind = mimetypes.guess_type(path)[0]
    direct = requests.post(f"{hear_url}/audio/transcriptions", files={"file": (path, data)}, timeout=600).json()["text"]
    ask_format("json")
    in_json = transcribed(os.path.basename(path), data, kind)
    ask_format("multipart")
    in_form = transcribed(os.path.basename(path), data, kind)
    in_english = transcribed(os.path.basename(path), data, kind, language="en")
    recorded = transcribed("recording.webm", as_browser(path), "audio/webm;codecs=opus")
    for how, text in {"form": in_form, "JSON": in_json, "language": in_english, "microphone": recorded}.items():
        print(f"{how}, {path}: {errors(words(text), words(direct))} of {len(words(direct))} words other than by request")

models = [model["id"] for model in call("GET", "/audio/models").json()["models"]]
voices = [voice["id"] for voice in call("GET", "/audio/voices").json()["voices"]]
assert "tts-1" in models and "af_heart" in voices, (models, voices)
speech = call("POST", "/audio/speech", json={"input": SENTENCE, "voice": "am_michael"})
assert speech.headers["content-type"] == "audio/mpeg"
heard = transcribed("speech.mp3", speech.content, "audio/mpeg")
wrong = errors(words(heard), words(SENTENCE))
print(f"{len(models)} models, {len(voices)} voices; speech of {len(speech.content)} bytes heard with {wrong} wrong words")
assert wrong <= 2
refused = session.post(f"{url}/api/v1/audio/speech", json={"input": SENTENCE, "voice": "nobody"}, timeout=60)
assert refused.status_code == 400, refused.text
