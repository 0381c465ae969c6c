import { describe, expect, it } from 'vitest';
import { perTest } from '../../../test/fixtures/per-test.ts';
import { multipart, segment, type TestApp, transcriptionApp } from '../../../test/fixtures/transcription-app.ts';

const RATE = 16_000;

/** A service whose engine tells two speakers apart, if the job asks for it. */
const start = perTest(async () => {
  const t = await transcriptionApp();
  t.models.run = async function* ({ speakers }) {
    yield { type: 'segment', segment: segment(' Who is it? Me.', 0, 2) };
    yield { type: 'segment', segment: segment(' Come in.', 2.5, 3.5) };
    const turns = [
      { start: 0, end: 1.5 * RATE, speaker: 0 },
      { start: 1.5 * RATE, end: 2.2 * RATE, speaker: 1 },
      { start: 2.4 * RATE, end: 4 * RATE, speaker: 0 },
    ];
    if (speakers) yield { type: 'turns', turns };
    yield { type: 'end', language: 'en', languages: ['en'], duration: 4, missed: 0 };
  };
  return t;
});

describe('speakers of POST /asr', () => {
  const ask = (t: TestApp, query: string) =>
    t.app.inject({ method: 'POST', url: `/asr?${query}`, ...multipart([['audio_file', 'sound', 'a.wav']]) });

  it('adds speakers if the request diarizes, by either name', async () => {
    const t = await start();
    for (const query of ['diarize=true&enable_diarization=true', 'diarize=True', 'enable_diarization=true']) {
      const { segments } = (await ask(t, `output=json&${query}`)).json();
      expect(segments.map(({ speaker, text }: { speaker: string; text: string }) => [speaker, text.trim()])).toEqual([
        ['A', 'Who is it?'],
        ['B', 'Me.'],
        ['A', 'Come in.'],
      ]);
    }
    expect((await ask(t, 'diarize=true')).body).toBe('A: Who is it?\n\nB: Me.\n\nA: Come in.\n');
    for (const query of ['output=json', 'output=json&diarize=false', 'output=json&diarize=']) {
      expect((await ask(t, query)).json().segments[0]).not.toHaveProperty('speaker');
    }
  });

  it('takes the number of speakers if its limits are equal', async () => {
    const t = await start();
    await ask(t, 'diarize=true&min_speakers=3&max_speakers=3');
    await ask(t, 'diarize=true&min_speakers=2&max_speakers=3');
    await ask(t, 'diarize=true&min_speakers=2');
    const { files: model } = t.speakerModel;
    expect(t.models.jobs.map(({ speakers }) => speakers)).toEqual([{ model, count: 3 }, { model }, { model }]);
    for (const name of ['min_speakers', 'max_speakers']) {
      const refused = await ask(t, `diarize=true&${name}=0`);
      expect([refused.statusCode, refused.json().error]).toEqual([
        400,
        expect.objectContaining({ param: name, message: `${name}: must be an integer from 1 to 100` }),
      ]);
    }
  });

  it('transcribes without speakers if there is no model for them', async () => {
    const t = await start();
    t.speakerModel.files = undefined;
    const response = await ask(t, 'output=json&diarize=true');
    expect([response.statusCode, response.json().segments.length]).toEqual([200, 2]);
    expect(t.models.jobs[0]).not.toHaveProperty('speakers');
  });
});
