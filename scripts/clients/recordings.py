"""Recordings for the clients that listen live, and how what they heard differs from what a request hears. Needs ffmpeg."""

import asyncio
import re
import subprocess

TAIL_SECONDS = 2
"""Silence after a recording, which closes its last turn."""


def pcm(path, rate):
    """The recording as signed 16-bit samples of one channel."""
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", str(rate), "-"],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


async def at_speed_of_speech(audio, rate, seconds):
    """Yields `audio` and silence after it in pieces of `seconds`, each when it would have been spoken."""
    audio += bytes(TAIL_SECONDS * rate * 2)
    size = int(seconds * rate) * 2
    clock = asyncio.get_running_loop().time
    started = clock()
    for index, offset in enumerate(range(0, len(audio), size)):
        await asyncio.sleep(started + index * seconds - clock())
        yield audio[offset : offset + size]


def words(text):
    return re.findall(r"[\w']+", text.lower())


def errors(heard, meant):
    """Words to replace, insert and remove to make the one list the other."""
    row = list(range(len(meant) + 1))
    for i, word in enumerate(heard, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(meant, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1]


def report(how, path, turns, whole):
    """Prints the turns that a client heard alongside the text of a request."""
    meant = words(whole)
    wrong = errors(words(" ".join(turns)), meant)
    print(f"{how}, {path}: {len(turns)} turns, {wrong} of {len(meant)} words other than by request")
    for turn in turns:
        print(f"  {turn}")
