import { beforeAll, describe, expect, it } from 'vitest';
import { compileFlite, Flite, type FliteEngine, FliteInstance } from './flite.ts';
import type { WebAssemblyModule } from './webassembly.ts';

let module: WebAssemblyModule;
beforeAll(async () => {
  module = await compileFlite();
});

describe('Flite', () => {
  const silence = { samples: new Float32Array(0), phones: [] };
  const word = [{ text: 'word', punctuation: '' }];

  /** Counts the instances that a series of calls takes. */
  function counting(engine: (call: number) => FliteEngine): { flite: Flite; started: () => number } {
    let started = 0;
    return { flite: new Flite(() => engine(started++)), started: () => started };
  }

  it('speaks letters as a word, without rewriting them', () => {
    const flite = Flite.of(module);
    const spoken = (...words: string[]) => {
      const tokens = words.map((text) => ({ text, punctuation: '' }));
      return flite
        .speak('slt', tokens)
        .phones.filter(({ token }) => token === 1)
        .map(({ name }) => name)
        .join(' ');
    };
    expect(spoken('say', 'al', 'again')).toBe('ae l');
    expect(spoken('say', 'in', 'again')).toBe('ih n');
    expect(spoken('say', 'i', 'again')).toBe('ay');
    expect(spoken('say', "john's", 'again')).toBe('jh aa n z');
    expect(spoken('say', "don't", 'again')).toBe('d ow n t');
  });

  it('speaks the same words as the same samples, whatever it spoke before', () => {
    const tokens = 'this is the same'.split(' ').map((text) => ({ text, punctuation: '' }));
    const flite = Flite.of(module);
    const first = flite.speak('slt', tokens).samples;
    flite.speak('rms', word);
    expect(flite.speak('slt', tokens).samples).toEqual(first);
    expect(Flite.of(module).speak('slt', tokens).samples).toEqual(first);
  });

  it('keeps its instance from call to call', () => {
    const { flite, started } = counting(() => ({ bytes: 1, speak: () => silence }));
    flite.speak('slt', word);
    flite.speak('slt', word);
    expect(started()).toBe(1);
  });

  it('starts a fresh instance after a trap', () => {
    const trapping: FliteEngine = {
      bytes: 1,
      speak: () => {
        throw new Error('unreachable');
      },
    };
    const { flite, started } = counting((call) => (call === 0 ? trapping : { bytes: 1, speak: () => silence }));
    expect(() => flite.speak('slt', word)).toThrow('unreachable');
    expect(flite.speak('slt', word)).toBe(silence);
    expect(started()).toBe(2);
  });

  it('starts a fresh instance when the memory of the last one has grown large', () => {
    const { flite, started } = counting(() => ({ bytes: 2 ** 30, speak: () => silence }));
    flite.speak('slt', word);
    flite.speak('slt', word);
    expect(started()).toBe(2);
  });

  it('does not grow from sentence to sentence', () => {
    const words = 'the quick brown fox jumps over the lazy dog and the cat watches from the wall'.split(' ');
    const tokens = words.map((text) => ({ text, punctuation: '' }));
    let engine: FliteEngine | undefined;
    const observed = new Flite(() => {
      engine = new FliteInstance(module);
      return engine;
    });
    observed.speak('slt', tokens);
    const before = engine!.bytes;
    for (let round = 0; round < 20; round++) observed.speak('slt', tokens);
    expect(engine!.bytes).toBeLessThan(before + 2 ** 20);
  });
});
