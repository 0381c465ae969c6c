import type { Capabilities, Preset } from '../../contracts/preset.ts';

/** The languages of the first multilingual checkpoints (openai/whisper, whisper/tokenizer.py). */
const LANGUAGES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'.split(
    ' ',
  );

const multilingual: Capabilities = { languages: LANGUAGES, translates: true };
const largeV3: Capabilities = { languages: [...LANGUAGES, 'yue'], translates: true };
/** For English-only models a translation is the transcript. */
const english: Capabilities = { languages: ['en'], translates: true };

/** The official checkpoints: those of the API's contract, then the others. */
export const whisperPresets: readonly Preset[] = [
  {
    size: 'tiny',
    label: 'Tiny',
    params: '39M',
    repository: 'openai/whisper-tiny',
    download: '0.15 GB',
    preference: 13,
    isWeak: true,
    capabilities: multilingual,
  },
  {
    size: 'base',
    label: 'Base',
    params: '74M',
    repository: 'openai/whisper-base',
    download: '0.3 GB',
    preference: 11,
    isWeak: true,
    capabilities: multilingual,
  },
  {
    size: 'small',
    label: 'Small',
    params: '244M',
    repository: 'openai/whisper-small',
    download: '1 GB',
    preference: 4,
    capabilities: multilingual,
  },
  {
    size: 'medium',
    label: 'Medium',
    params: '769M',
    repository: 'openai/whisper-medium',
    download: '3 GB',
    preference: 3,
    capabilities: multilingual,
  },
  {
    size: 'large-v3',
    label: 'Large v3',
    params: '1550M',
    repository: 'openai/whisper-large-v3',
    download: '3 GB',
    preference: 1,
    capabilities: largeV3,
  },
  {
    size: 'large-v3-turbo',
    label: 'Large v3 Turbo',
    params: '809M',
    repository: 'openai/whisper-large-v3-turbo',
    download: '1.6 GB',
    preference: 2,
    capabilities: { ...largeV3, translates: false },
  },
  {
    size: 'distil-large-v3',
    label: 'Distil Large v3',
    params: '756M',
    repository: 'distil-whisper/distil-large-v3',
    download: '1.5 GB',
    preference: 6,
    capabilities: english,
  },
  {
    size: 'distil-large-v3.5',
    label: 'Distil Large v3.5',
    params: '756M',
    repository: 'distil-whisper/distil-large-v3.5',
    download: '1.5 GB',
    preference: 5,
    capabilities: english,
  },
  {
    size: 'tiny.en',
    label: 'Tiny English',
    params: '39M',
    repository: 'openai/whisper-tiny.en',
    download: '0.15 GB',
    preference: 14,
    capabilities: english,
  },
  {
    size: 'base.en',
    label: 'Base English',
    params: '74M',
    repository: 'openai/whisper-base.en',
    download: '0.3 GB',
    preference: 12,
    capabilities: english,
  },
  {
    size: 'small.en',
    label: 'Small English',
    params: '244M',
    repository: 'openai/whisper-small.en',
    download: '1 GB',
    preference: 9,
    capabilities: english,
  },
  {
    size: 'medium.en',
    label: 'Medium English',
    params: '769M',
    repository: 'openai/whisper-medium.en',
    download: '3 GB',
    preference: 7,
    capabilities: english,
  },
  {
    size: 'distil-small.en',
    label: 'Distil Small English',
    params: '166M',
    repository: 'distil-whisper/distil-small.en',
    download: '0.35 GB',
    preference: 10,
    capabilities: english,
  },
  {
    size: 'distil-medium.en',
    label: 'Distil Medium English',
    params: '394M',
    repository: 'distil-whisper/distil-medium.en',
    download: '0.8 GB',
    preference: 8,
    capabilities: english,
  },
];
