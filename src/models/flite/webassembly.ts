/** The part of the WebAssembly API used here. TypeScript declares it for browsers only. */
interface WebAssemblyApi {
  compile(binary: Uint8Array): Promise<WebAssemblyModule>;
  Instance: new (
    module: WebAssemblyModule,
    imports: Record<string, Record<string, (...values: number[]) => number>>,
  ) => { readonly exports: unknown };
  Module: { imports(module: WebAssemblyModule): { module: string; name: string; kind: string }[] };
}

/** Compiled code, which threads can share. */
export interface WebAssemblyModule {
  readonly [Symbol.toStringTag]: string;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
