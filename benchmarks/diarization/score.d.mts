export interface Turn {
  start: number;
  end: number;
  speaker: string | number;
}

export interface Errors {
  speech: number;
  missed: number;
  falseAlarm: number;
  confusion: number;
}

export function diarizationErrors(truth: readonly Turn[], found: readonly Turn[], collar: number): Errors;
export function total(all: readonly Errors[]): Errors;
export function errorRate(errors: Errors): number;
