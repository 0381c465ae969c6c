import { expect, it } from 'vitest';
import { microModel } from '../../../../test/fixtures/micro-model.ts';
import { readSpeech } from '../../../../test/fixtures/speech.ts';
import { microCheckpoint, recordingFile } from '../../../../test/fixtures/whisper-micro.ts';
import type { Choice } from '../../common/logits.ts';
import { LogitFilter } from './logit-filter.ts';
import { MelSpectrogram } from './mel.ts';
import { WhisperTokenizer } from './tokenizer.ts';

const CHOICES = 6;
const STEPS = 40;

it.each([
  ['float32', 'cpu'],
  ['int8', 'cpu'],
  ['float32', 'gpu'],
] as const)('the summary in %s for a %s gives the same choices as all logits', async (computeType, form) => {
  const model = await microModel(computeType, {}, form);
  const { mels, audioPositions, vocabulary } = model.configuration;
  const speech = await readSpeech(recordingFile('english-flite'));
  const mel = new MelSpectrogram(mels).compute(speech.slice(0, 16_000 * 4), 2 * audioPositions);
  const audios = [await model.encode(mel), await model.encode(mel)];
  const [summed, full] = audios.map((audio) => model.decode(audio, { attention: false }));
  const { never } = new LogitFilter(model.configuration, await WhisperTokenizer.read(microCheckpoint));
  const blocks = new Set<number>();
  for (let step = 0; step < STEPS; step++) {
    const tokens = [[(step * 131) % vocabulary]];
    const [summary] = (await summed!.step(tokens, { summed: true, choices: CHOICES })).logits;
    const [all] = (await full!.step(tokens)).logits;
    all!.forbidEach(never);
    summary!.forbidEach(never);
    const expected = all!.topChoices(CHOICES);
    const told = summary!.topChoices(CHOICES);
    const ids = (choices: Choice[]) => choices.map(({ token }) => token);
    expect(ids(told)).toEqual(ids(expected));
    for (const [index, { logprob }] of told.entries()) expect(logprob).toBeCloseTo(expected[index]!.logprob, 4);
    for (const { token } of told) blocks.add(Math.floor(token / 128));
    // For more choices than a summary has, the graph returns all logits.
    if (step === 0) {
      const wide = await full!.step(tokens, { summed: true, choices: CHOICES + 1 });
      await summed!.step(tokens);
      expect(wide.logits[0]!.topChoices(50)).toHaveLength(50);
    }
  }
  expect(blocks.size).toBeGreaterThan(2);
});
