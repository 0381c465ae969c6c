import type { Stretch } from './difference.mjs';

export interface Run {
  file: string;
  start: number;
  end: number;
  words: number;
  text: string;
}

export interface Counts {
  words: number;
  deletions: number;
  insertions: number;
  substitutions: number;
}

export interface Scores extends Counts {
  files: number;
  minutes: number;
  byLanguage: Record<string, Counts>;
  /** In the order of the files and their text. */
  stretches?: Stretch[];
  lost: Run[];
  added: Run[];
  spoke?: { name: string; said: string }[];
  chrf?: number;
}

export interface SetOfFiles {
  name: string;
  measure: 'errors' | 'silence' | 'chrf';
  files: { name: string; seconds: number; text: string; language: string }[];
}

export interface Answer {
  segments: { start: number; end: number; text: string }[];
}

export function score(set: SetOfFiles, answers: Record<string, Answer>): Scores;
export function sumOf(counts: Counts[]): Counts;
export function errorRate(counts: Counts): number;
export function chrf(pairs: [reference: string, hypothesis: string][]): number;
