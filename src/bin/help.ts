/** Help of the `hearsay` command and of its subcommands, by name. */
export const help = {
  hearsay: `Usage: hearsay [command]

Speech to text and text to speech on this machine.

Commands
  (none)                   runs both services: hear on port 8000, say on port 8880
  hear, say                runs one of them
  fetch MODEL…             downloads models in advance
  transcribe FILE…         transcribes recordings without a server
  speak TEXT|FILE          speaks a text without a server

  hearsay COMMAND --help   describes a command
  hearsay --version        prints the version

Settings are environment variables, such as API_KEY, HOST and MODEL_SIZE: see docs/configuration.md. Models and data are in
DATA_DIR, by default ~/.local/share/hearsay.`,

  hear: `Usage: hearsay hear

Runs the transcription service, on port 8000. Its settings are environment variables: see docs/configuration.md.`,

  say: `Usage: hearsay say

Runs the speech service, on port 8880. Its settings are environment variables: see docs/configuration.md.`,

  fetch: `Usage: hearsay fetch MODEL…

Downloads models for the services and the other commands: small, kokoro, campplus, or a hub id such as org/name. Without
MODEL it lists the names. An interrupted download resumes.

Exit codes: 0 all were downloaded, 1 one could not be downloaded, 2 wrong usage, 129, 130 and 143 interrupted.`,

  transcribe: `Usage: hearsay transcribe FILE… [options]

Transcribes recordings in any common audio or video format. FILE may be a folder, which is searched recursively, a pipe,
or - for standard input. The transcript of one recording goes to standard output; several recordings need --output.

  -f, --format FORMAT   text, json, verbose_json, diarized_json, srt or vtt; default: by the extension of the output, or text
  -o, --output PATH     a file ending in .txt, .json, .srt or .vtt, or a folder for one file per recording; - is standard
                        output
  -l, --language NAME   language of the speech, such as en or German; by default it is detected
  -m, --model MODEL     such as small; by default MODEL_SIZE, or the best one on this machine
  -p, --prompt TEXT     names and jargon to expect
      --translate       translates into English
      --words           adds word times to verbose_json
      --speakers        adds speakers, in every format but json; diarized_json always has them. Needs a model:
                        hearsay fetch campplus

Exit codes: 0 all were transcribed, 1 at least one failed (the others are written), 2 wrong usage, 129, 130 and 143 interrupted.`,

  speak: `Usage: hearsay speak TEXT|FILE… [options]

Speaks texts in UTF-8. An argument is the name of a text file, - for standard input, or else the text itself.

  -o, --output FILE     where to write; a folder for several files; - is standard output, the default unless it is a terminal
  -f, --format FORMAT   mp3, opus, flac, wav, pcm, aac or m4b; by default from the name of the output, or mp3
  -v, --voice NAME      such as af_heart or af_heart(2)+af_bella(1); by default DEFAULT_VOICE
  -s, --speed NUMBER    0.25 to 4, by default 1
  -l, --language CODE   language of the text, such as en-GB; by default that of the voice
  -m, --model MODEL     such as kokoro; by default TTS_MODEL, or the best one on this machine
      --title, --author TEXT, --cover FILE
                        tags of an m4b; the cover is a JPEG or a PNG

An m4b is an audiobook: each heading # or ## of its files begins a chapter, and so does each file without headings.

Exit codes: 0 all were spoken, 1 at least one text failed (the others are written), 2 wrong usage, 129, 130 and 143 interrupted.`,
} as const;
