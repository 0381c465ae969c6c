/** The part of the WebAssembly API that is used here: its types come with those of browsers, which Node's leave out. */
interface WebAssemblyApi {
  compile(binary: Uint8Array): Promise<WebAssemblyModule>;
  Instance: new (
    module: WebAssemblyModule,
    imports: Record<string, Record<string, (...values: number[]) => number>>,
  ) => { readonly exports: unknown };
  Module: { imports(module: WebAssemblyModule): { module: string; name: string; kind: string }[] };
}

/** Compiled code; it can be sent to other threads, which share it. */
export interface WebAssemblyModule {
  readonly [Symbol.toStringTag]: string;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
