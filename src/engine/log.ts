interface LogMethod {
  (message: string): void;
  (details: object, message: string): void;
}

/** The methods of a pino logger that supervision uses. */
export type EngineLog = Record<'info' | 'warn' | 'error', LogMethod>;
