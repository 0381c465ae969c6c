/**
 * Could @huggingface/tokenizers replace our Whisper tokenizer? Both read the same tokenizer.json. They are checked against
 * the goldens of openai/whisper's tokenizer and timed in turns.
 *
 * npm install --prefix /tmp/hf-tokenizers @huggingface/tokenizers@0.2.0
 * node benchmarks/whisper-tokenizer.bench.mjs /tmp/hf-tokenizers <checkpoint of Whisper base>
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { WhisperTokenizer } from '../dist/models/whisper/runtime/tokenizer.js';
import { median } from './measure.mjs';

const [prefix, checkpoint] = process.argv.slice(2).map((path) => resolve(path));
const { Tokenizer } = createRequire(join(prefix, 'package.json'))('@huggingface/tokenizers');

const readFixture = (name) =>
  JSON.parse(readFileSync(new URL(`../test/fixtures/whisper/${name}.json`, import.meta.url), 'utf8'));
const digest = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);

const loadTheirs = (json) => new Tokenizer(json, {});
const loadTheirsFromDisk = () => loadTheirs(JSON.parse(readFileSync(join(checkpoint, 'tokenizer.json'), 'utf8')));
const encodeTheirs = (tokenizer, text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
/** It throws on an empty sequence. */
const decodeTheirs = (tokenizer, ids) =>
  ids.length === 0 ? '' : tokenizer.decode(ids, { skip_special_tokens: true, clean_up_tokenization_spaces: false });

const ours = await WhisperTokenizer.read(checkpoint);
const theirs = loadTheirsFromDisk();

const golden = readFixture('tokenizer');
const { ids: digests } = golden.vocabularies.multilingual;
const wrongIds = (encode) =>
  golden.lines.filter((line, index) => digest(encode(line)) !== digests.slice(8 * index, 8 * index + 8));
// Without added tokens it takes <|en|> in a text for text, as prompts need it, and no longer knows the special tokens.
const json = JSON.parse(readFileSync(join(checkpoint, 'tokenizer.json'), 'utf8'));
const textOnly = loadTheirs({ ...json, added_tokens: [] });
console.log('lines of 1,000 encoded unlike the reference:', {
  ours: wrongIds((line) => ours.encode(line)).length,
  theirs: wrongIds((line) => encodeTheirs(theirs, line)).length,
  'theirs without added tokens': wrongIds((line) => encodeTheirs(textOnly, line)).length,
});
const encoded = golden.lines.map((line) => ours.encode(line));
console.log('lines of 1,000 decoded unlike the text:', {
  ours: encoded.filter((ids, index) => ours.decode(ids) !== golden.lines[index]).length,
  theirs: encoded.filter((ids, index) => decodeTheirs(theirs, ids) !== golden.lines[index]).length,
});
const { endOfText, timestampBegin } = ours.special;
const broken = golden.random.map(([ids]) => ids.filter((id) => id !== endOfText));
console.log('sequences of 300 with broken characters decoded unlike ours:', {
  theirs: broken.filter((ids) => decodeTheirs(theirs, ids) !== ours.decode(ids)).length,
});
const small = readFixture('small-tokenizer');
const smallTheirs = loadTheirs(small.tokenizer);
console.log('lines of the small tokenizer encoded unlike the reference:', {
  theirs: small.lines.filter(
    (line, index) => JSON.stringify(encodeTheirs(smallTheirs, line)) !== JSON.stringify(small.tokens[index]),
  ).length,
  of: small.lines.length,
});
const hostile = 'Say <|endoftext|><|0.00|> now';
console.log('special tokens in text:', {
  ours: ours.encode(hostile).filter((id) => id >= endOfText).length,
  theirs: encodeTheirs(theirs, hostile).filter((id) => id >= endOfText).length,
});
const stamped = [timestampBegin, ...ours.encode(' Hello'), timestampBegin + 50];
console.log('timestamps in decoded text:', { ours: ours.decode(stamped), theirs: decodeTheirs(theirs, stamped) });
const half = ours.encode('a\ud83d b');
console.log('half a surrogate pair:', { ours: half, theirs: encodeTheirs(theirs, 'a\ud83d b') });

/** Median milliseconds per run, alternating; the first round warms up. Each round has its own input: theirs caches words. */
async function timeByTurns(inputs, contestants) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (const [round, input] of inputs.entries()) {
    for (const [name, run] of Object.entries(contestants)) {
      const started = performance.now();
      await run(input);
      if (round > 0) times[name].push(performance.now() - started);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, `${median(all).toFixed(3)} ms`]));
}

const ROUNDS = 31;
const PAGE = 3_000;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const english = readFileSync(new URL('../docs/benchmarks.md', import.meta.url), 'utf8');
const scripts = golden.lines.join(' ');
const pagesOf = (text) =>
  rounds.map((round) => {
    const start = Math.floor((round * (text.length - PAGE)) / ROUNDS);
    return text.slice(start, start + PAGE);
  });
const load = { ours: () => WhisperTokenizer.read(checkpoint), theirs: loadTheirsFromDisk };
const encode = { ours: (text) => ours.encode(text), theirs: (text) => encodeTheirs(theirs, text) };
const decode = { ours: (ids) => ours.decode(ids), theirs: (ids) => decodeTheirs(theirs, ids) };
console.log('load', await timeByTurns(rounds.slice(0, 11), load));
for (const [name, text] of Object.entries({ English: english, '20 scripts': scripts })) {
  const pages = pagesOf(text);
  const ids = pages.map((page) => ours.encode(page));
  console.log(`encode 3,000 characters, ${name}`, await timeByTurns(pages, encode));
  console.log(`decode ${ids[0].length} tokens, ${name}`, await timeByTurns(ids, decode));
}
const words = ['warms', 'world', 'never', 'often'].map((word) => word.repeat(4_000));
console.log('encode 20,000 letters without a space', await timeByTurns(words, encode));
