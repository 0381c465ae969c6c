import { afterEach, expect, it } from 'vitest';
import { endAll, startHear } from './fixtures/service.ts';
import { microCheckpoint, recordingFile, recordings } from './fixtures/whisper-micro.ts';

afterEach(endAll);

it('the metrics of a Whisper model have decoder steps, and the runs that windows shared', async () => {
  const hear = await startHear({ MODEL_SIZE: microCheckpoint });
  await hear.ready();
  expect(await hear.metric('hearsay_decoder_steps_total')).toBe(0);
  const answers = await Promise.all(
    Array.from({ length: 6 }, async () => (await hear.post({ file: recordingFile('french') })).json()),
  );
  for (const answer of answers) expect((answer as { text: string }).text).toBe(recordings.french!.text);
  const steps = await hear.metric('hearsay_decoder_steps_total');
  const runs = await hear.metric('hearsay_decoder_runs_total');
  // Each word is a step at least, and each run has one.
  expect(steps).toBeGreaterThan(6 * recordings.french!.text.split(' ').length);
  expect(runs).toBeGreaterThan(steps / 8 - 1);
  expect(runs).toBeLessThanOrEqual(steps);
  await hear.stop();
});
