import type { SpeechModelInfo } from './transcription.ts';

/** A speech model that can be chosen by name, with the facts known before it is loaded. */
export interface Preset {
  size: string;
  label: string;
  /** Parameter count, e.g. `244M`. */
  params: string;
  /** Hub id of the official checkpoint; absent for a model that ships with the package. */
  repository?: string;
  /** Size of the download, e.g. `1 GB`. */
  download?: string;
  /** Rank when the best preset on this machine is chosen, 1 first; absent for a model that ships with the package. */
  preference?: number;
  /** Too weak to recommend. */
  isWeak?: true;
  capabilities: Capabilities;
}

/** What a model supports. */
export type Capabilities = Readonly<Pick<SpeechModelInfo, 'languages' | 'translates'>>;
