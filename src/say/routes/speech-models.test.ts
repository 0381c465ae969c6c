import { describe, expect, it } from 'vitest';
import { isKnownModel, streamsEvents } from './speech-models.ts';

describe('isKnownModel', () => {
  it.each([
    ...['tts-1', 'tts-1-hd', 'tts-native', 'chat-4o-mini-tts', 'kokoro', 'gpt-4o-mini-tts', 'tts-1-1106'],
    ...['tts-1-hd-1106', 'gpt-4o-mini-tts-2025-03-20', 'gpt-4o-mini-tts-2025-12-15', 'gpt-4o-mini-tts-latest'],
  ])('knows %s', (id) => expect(isKnownModel(id)).toBe(true));

  it.each([
    '',
    'tts-17',
    'tts-2',
    'TTS-1',
    'tts-1-',
    'gpt-4o-mini-tts-2025-12',
    'gpt-4o-mini-ttsx',
    'tts-1-1106-1106',
    'gpt-4o',
  ])('does not know %j', (id) => expect(isKnownModel(id)).toBe(false));
});

it('older models stream no events', () => {
  expect(['tts-1', 'tts-1-hd', 'tts-1-hd-1106'].map(streamsEvents)).toEqual([false, false, false]);
  expect(['gpt-4o-mini-tts', 'tts-native', 'kokoro'].map(streamsEvents)).toEqual([true, true, true]);
});
