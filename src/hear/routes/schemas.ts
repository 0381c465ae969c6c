/** Responses that the console reads, too. It compiles this file, so that it may not need Node.js. */

import { z } from 'zod';
import { telemetry } from '../../http/schemas.ts';

export const hearTelemetry = telemetry.extend({
  activity: z.object({
    active: z.int().describe('Requests inside the engine'),
    waiting: z.int().describe('Requests waiting for the engine'),
    audio_seconds: z.number().describe('Seconds of audio transcribed since the start'),
  }),
  capabilities: z.object({
    live: z.boolean().describe('Whether live sessions are available'),
    speakers: z.boolean().describe('Whether there is a speaker model'),
  }),
});

export type HearTelemetry = z.infer<typeof hearTelemetry>;

const preset = z.object({
  size: z.string(),
  label: z.string(),
  params: z.string().describe('Parameter count'),
  download: z
    .string()
    .optional()
    .describe('Approximate size of the download, such as `1 GB`; absent if there is none or it is unknown'),
  on_disk: z.boolean().describe('Whether all its files are on this machine: activating it downloads nothing'),
  downloaded_bytes: z
    .int()
    .describe('Downloaded bytes on disk, including those of a running, failed or cancelled download'),
});

export const presetList = z.object({
  active: z.string().describe('Size of the selected model'),
  loaded: z.string().describe('Size of the loaded model; empty if there is none'),
  presets: z.array(preset),
  loading: z
    .object({
      size: z.string(),
      received_bytes: z.int(),
      total_bytes: z.int().describe('0 if nothing is downloaded or the size is not known yet'),
    })
    .optional()
    .describe('The model being downloaded or loaded, if any'),
});

export type PresetList = z.infer<typeof presetList>;

export type Preset = z.infer<typeof preset>;

/** Progress of loading a model. */
export type ModelLoading = NonNullable<PresetList['loading']>;
