"""Has Bazarr's own provider make subtitles with hear, for a video with English speech and without a language tag.

In a checkout of morpheus65535/bazarr, with ffmpeg on the path and its requirements.txt installed:

    PYTHONPATH=custom_libs:libs python <here>/bazarr_provider.py http://localhost:8000 film.mkv
"""

import shutil
import sys

from subliminal.video import Movie
from subliminal_patch.providers.whisperai import WhisperAIProvider
from subzero.language import Language

endpoint, path = sys.argv[1:]

provider = WhisperAIProvider(
    endpoint=endpoint,
    response=10,
    timeout=3600,
    ffmpeg_path=shutil.which("ffmpeg"),
    pass_video_name=True,
    loglevel="DEBUG",
)
provider.initialize()


def subtitles(wanted, audio_languages):
    video = Movie(path, "Film", audio_languages=audio_languages)
    video.original_path = path
    found = provider.list_subtitles(video, {Language(code) for code in wanted})
    for subtitle in found:
        provider.download_subtitle(subtitle)
    return found


[tagged] = subtitles(["eng"], {"eng"})
assert tagged.task == "transcribe" and tagged.is_valid(), tagged.content
[detected] = subtitles(["eng"], set())
assert detected.audio_language == "eng" and detected.content == tagged.content, detected.content
# Bazarr translates into English only.
assert subtitles(["deu"], set()) == []
print(tagged.content.decode())
provider.terminate()
print("ok")
