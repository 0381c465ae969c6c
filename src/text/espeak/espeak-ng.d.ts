/** The parts of eSpeak NG (WebAssembly) used here. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Worker {
    /** Returns 0 if the voice exists. */
    set_voice(identifier: string): number;
    /** @param mode 1: IPA, `_` between the phonemes of a word, ` | ` between clauses. The result is in `HEAPU8`. */
    text_to_phonemes(text: string, mode: number): { ptr: number };
  }
  interface Module {
    HEAPU8: Uint8Array;
    eSpeakNGWorker: new () => Worker;
  }
  export default function load(): Promise<Module>;
}
