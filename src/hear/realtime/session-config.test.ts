import { describe, expect, it } from 'vitest';
import { HearsayError } from '../../errors.ts';
import {
  defaultSession,
  jobOptionsOf,
  olderSessionView,
  type SessionConfig,
  sessionView,
  updateSession,
} from './session-config.ts';
import { turnDetectionOf } from './turn-detection.ts';

const update = (input: object, config = defaultSession) =>
  updateSession(config, { type: 'transcription', audio: { input } });

function param(change: unknown): string | undefined {
  try {
    updateSession(defaultSession, change);
  } catch (error) {
    expect(error).toBeInstanceOf(HearsayError);
    return (error as HearsayError).param;
  }
  return 'accepted';
}

describe('updateSession', () => {
  it('changes the given fields and keeps the others', () => {
    const first = update({ transcription: { model: 'gpt-transcribe', language: 'en' }, turn_detection: null });
    expect(first).toEqual({
      ...defaultSession,
      transcription: { model: 'gpt-transcribe', language: 'en' },
      turn_detection: null,
    });
    const second = update({ format: { type: 'audio/pcmu' }, transcription: { prompt: 'Names' } }, first);
    expect(second.transcription).toEqual({ model: 'gpt-transcribe', language: 'en', prompt: 'Names' });
    expect(second).toMatchObject({ format: { type: 'audio/pcmu' }, turn_detection: null });
    expect(updateSession(second, {})).toEqual(second);
    expect(update({ transcription: null }, second).transcription).toBeNull();
  });

  it('fills in the numbers of turn detection', () => {
    expect(update({ turn_detection: { type: 'server_vad', threshold: 0.7 } }).turn_detection).toEqual({
      type: 'server_vad',
      threshold: 0.7,
      prefix_padding_ms: 300,
      silence_duration_ms: 500,
    });
  });

  it('rejected members that are null, as libraries send those without a value: they count as absent', () => {
    const turn_detection = {
      type: 'server_vad',
      threshold: null,
      prefix_padding_ms: null,
      silence_duration_ms: 700,
      idle_timeout_ms: null,
      create_response: null,
    };
    expect(update({ format: { type: 'audio/pcm', rate: null }, turn_detection })).toEqual({
      ...defaultSession,
      turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 700 },
    });
    expect(update({ turn_detection: { type: null, eagerness: null } })).toEqual(
      update({ turn_detection: { type: 'server_vad' } }),
    );
    expect(update({ turn_detection: { type: 'semantic_vad', eagerness: null } })).toEqual(
      update({ turn_detection: { type: 'semantic_vad' } }),
    );
    expect(updateSession(defaultSession, { turn_detection }).turn_detection).toEqual(
      update({ turn_detection }).turn_detection,
    );
    for (const session of [{ type: null, audio: null }, { audio: { input: null } }]) {
      expect(updateSession(defaultSession, session)).toEqual(defaultSession);
    }
  });

  it('accepts the older form, with or without a type of turn detection', () => {
    const config = updateSession(defaultSession, {
      input_audio_format: 'g711_alaw',
      input_audio_transcription: { model: 'whisper-1' },
      input_audio_noise_reduction: { type: 'near_field' },
      turn_detection: { silence_duration_ms: 200 },
    });
    expect(config).toMatchObject({
      format: { type: 'audio/pcma' },
      transcription: { model: 'whisper-1' },
      noise_reduction: { type: 'near_field' },
      turn_detection: { type: 'server_vad', silence_duration_ms: 200 },
    });
    expect(olderSessionView('sess_1', config, 5)).toMatchObject({ id: 'sess_1', input_audio_format: 'g711_alaw' });
    expect(updateSession(config, { input_audio_format: 'pcm16' }).format).toEqual({ type: 'audio/pcm', rate: 24_000 });
    expect(updateSession(config, { turn_detection: null }).turn_detection).toBeNull();
  });

  it('keeps the format of an update that mixes both forms', () => {
    const audio = { input: { format: { type: 'audio/pcmu' }, transcription: { language: 'de' } } };
    expect(updateSession(defaultSession, { type: 'transcription', audio, turn_detection: null })).toMatchObject({
      format: { type: 'audio/pcmu' },
      transcription: { language: 'de' },
      turn_detection: null,
    });
    expect(() => updateSession(defaultSession, { audio: { input: { format: 'pcm' } }, turn_detection: null })).toThrow(
      'session.audio.input.format',
    );
  });

  it.each([
    [{ type: 'realtime' }, 'session.type'],
    [{ audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } } } }, 'session.audio.input.format.rate'],
    [{ audio: { input: { format: { type: 'audio/mp3' } } } }, 'session.audio.input.format.type'],
    [{ audio: { input: { transcription: { language: 'Klingon' } } } }, 'session.audio.input.transcription.language'],
    [{ audio: { input: { turn_detection: { type: 'magic' } } } }, 'session.audio.input.turn_detection.type'],
    [{ audio: { input: { turn_detection: [] } } }, 'session.audio.input.turn_detection'],
    [
      { audio: { input: { turn_detection: { type: 'server_vad', silence_duration_ms: -1 } } } },
      'session.audio.input.turn_detection.silence_duration_ms',
    ],
    [{ input_audio_format: 'mp3' }, 'session.input_audio_format'],
    [{ include: ['everything'] }, 'session.include.0'],
    ['text', 'session'],
    [null, 'session'],
  ])('rejects %j and names the field', (change, name) => {
    expect(param(change)).toBe(name);
  });
});

it('sessionView shows the whole configuration', () => {
  expect(sessionView('sess_1', defaultSession, 5)).toEqual({
    type: 'transcription',
    object: 'realtime.transcription_session',
    id: 'sess_1',
    expires_at: 5,
    include: null,
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        noise_reduction: null,
        transcription: {},
        turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 },
      },
    },
  });
});

it('turnDetectionOf turns eagerness into silence', () => {
  const silence = (turn_detection: unknown) =>
    turnDetectionOf(update({ turn_detection }) as SessionConfig)?.silenceDurationMs;
  expect(silence(null)).toBeUndefined();
  const eager = ['low', 'medium', 'auto', 'high'].map((eagerness) => silence({ type: 'semantic_vad', eagerness })!);
  expect(eager).toEqual([...eager].sort((a, b) => b - a));
  expect(silence({ type: 'semantic_vad' })).toBe(silence({ type: 'semantic_vad', eagerness: 'medium' }));
  expect(turnDetectionOf(update({ turn_detection: { type: 'server_vad', idle_timeout_ms: 6000 } }))).toEqual({
    threshold: 0.5,
    prefixPaddingMs: 300,
    silenceDurationMs: 500,
    idleTimeoutMs: 6000,
  });
});

it('leaves turns to the client for models without turn detection, unless asked for it', () => {
  const session = (model: string, input: object = {}) => update({ transcription: { model }, ...input });
  for (const model of ['gpt-live-transcribe', 'gpt-realtime-whisper', 'gpt-live-transcribe-2026-09-01']) {
    expect(turnDetectionOf(session(model))).toBeUndefined();
    expect(sessionView('sess_1', session(model), 5).audio.input.turn_detection).toBeNull();
    expect(olderSessionView('sess_1', session(model), 5).turn_detection).toBeNull();
    expect(turnDetectionOf(session(model, { turn_detection: { type: 'server_vad' } }))).toBeDefined();
    expect(turnDetectionOf(update({ transcription: { model: 'gpt-transcribe' } }, session(model)))).toBeDefined();
  }
  const asked = update({ turn_detection: { type: 'server_vad', silence_duration_ms: 200 } });
  expect(turnDetectionOf(update({ transcription: { model: 'gpt-live-transcribe' } }, asked))).toMatchObject({
    silenceDurationMs: 200,
  });
  expect(turnDetectionOf(session('whisper-1'))).toEqual(turnDetectionOf(defaultSession));
});

it('jobOptionsOf uses language and prompt, else the default language', () => {
  const options = (transcription: object) => jobOptionsOf(update({ transcription }), 'de');
  expect(options({})).toEqual({ task: 'transcribe', language: 'de' });
  expect(options({ language: 'English', prompt: 'Names' })).toEqual({
    task: 'transcribe',
    language: 'en',
    prompt: 'Names',
  });
  expect(options({ languages: ['fr'] }).language).toBe('fr');
  expect(options({ languages: ['fr', 'en', 'French'] })).toEqual({ task: 'transcribe', languages: ['fr', 'en'] });
  expect(options({ languages: ['fr', 'en'], language: 'it' })).toEqual({ task: 'transcribe', language: 'it' });
});

it('jobOptionsOf detects with `auto`, and takes an empty language as absent', () => {
  const options = (transcription: object) => jobOptionsOf(update({ transcription }), 'de');
  expect(options({ language: 'auto' })).toEqual({ task: 'transcribe' });
  expect(options({ language: ' Auto ', languages: ['fr', 'en'] })).toEqual({
    task: 'transcribe',
    languages: ['fr', 'en'],
  });
  expect(options({ language: 'auto', languages: ['fr'] }).language).toBe('fr');
  expect(options({ language: '' }).language).toBe('de');
  expect(options({ language: ' ', languages: ['fr'] }).language).toBe('fr');
});

it('jobOptionsOf ignores empty keywords', () => {
  const options = (keywords: string[]) => jobOptionsOf(update({ transcription: { keywords } }), undefined);
  expect(options([' Siobhan ', '', ' ']).keywords).toEqual(['Siobhan']);
  expect(options([''])).not.toHaveProperty('keywords');
});
