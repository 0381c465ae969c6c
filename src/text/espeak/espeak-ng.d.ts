/** What is used of eSpeak NG, compiled to WebAssembly. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Worker {
    /** 0 where there is such a voice. */
    set_voice(identifier: string): number;
    /** @param mode 1: IPA, `_` between the phonemes of a word, ` | ` between clauses. The answer lies in `HEAPU8`. */
    text_to_phonemes(text: string, mode: number): { ptr: number };
  }
  interface Module {
    HEAPU8: Uint8Array;
    eSpeakNGWorker: new () => Worker;
  }
  export default function load(): Promise<Module>;
}
