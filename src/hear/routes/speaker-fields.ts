import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { DiarizationOptions, KnownSpeaker } from '../../contracts/speakers.ts';
import type { TranscriptionJob } from '../../contracts/transcription.ts';
import { HearsayError } from '../../errors.ts';
import { storageError } from '../../files/storage-full.ts';
import type { EmbeddedItems, EmbeddedList, StoredFile } from '../../http/embedded-files.ts';
import type { ResponseFormat } from '../transcript/response.ts';

/** As in OpenAI's API. */
const MAX_KNOWN = 4;
const MAX_NAME_CHARACTERS = 100;
/** Largest number of speakers that a request may state. */
export const MAX_SPEAKERS = 100;

const NAMES = 'known_speaker_names[]';
const REFERENCES = 'known_speaker_references[]';

/** Recordings of known speakers, in Base64: ten seconds of any usual audio. */
export const references: EmbeddedList = {
  name: 'known_speaker_references',
  maxCount: MAX_KNOWN,
  maxBytes: 8 * 1024 * 1024,
};

/** A number of speakers. @param prefix of its error: the name of the field and a space, unless the route adds it */
export function speakerCount(prefix = '') {
  const error = `${prefix}must be an integer from 1 to ${MAX_SPEAKERS}`;
  return z.coerce.number({ error }).int({ error }).min(1, { error }).max(MAX_SPEAKERS, { error });
}

/** The fields of both audio routes that ask for speakers. */
export const speakerFields = {
  speakers: z
    .stringbool({ error: 'speakers must be true or false' })
    .default(false)
    .meta({ type: 'boolean', default: false })
    .describe(
      'Add speakers to the other formats: segments of `verbose_json` have a `speaker`, subtitles and text have names. `diarized_json` always has speakers.',
    ),
  speaker_count: speakerCount('speaker_count ')
    .optional()
    .describe('Number of speakers, if known; detected by default.'),
  [NAMES]: z
    .array(
      z
        .string()
        // Subtitles have a name in one line.
        .overwrite((name) => name.replace(/[\s\p{Cc}]+/gu, ' '))
        .trim()
        .max(MAX_NAME_CHARACTERS, { error: `${NAMES} may have at most ${MAX_NAME_CHARACTERS} characters each` }),
    )
    .max(MAX_KNOWN, { error: `${NAMES} may have at most ${MAX_KNOWN} items` })
    .optional()
    .describe('Names of speakers whose voices are known, as they should appear, each on one line.'),
  // Not read with the form: they are written to disk.
  [REFERENCES]: z
    .array(z.string())
    .max(MAX_KNOWN)
    .optional()
    .describe('Recordings of these voices in the same order, as data URLs of 2 to 10 s of audio.'),
};

/** What a request says about speakers. */
export interface SpeakerRequest {
  speakers?: boolean;
  speaker_count?: number | undefined;
  'known_speaker_names[]'?: readonly string[] | undefined;
  response_format: ResponseFormat;
  stream: boolean;
}

/** The field by which a request asks for speakers; undefined if it does not. @throws HearsayError `invalid_request` */
export function speakerField({ speakers, response_format: format, stream }: SpeakerRequest): string | undefined {
  if (format === 'diarized_json') return 'response_format';
  if (!speakers) return undefined;
  if (format === 'json' && !stream) {
    const message = 'speakers needs another response_format than json: diarized_json has segments with speakers.';
    throw new HearsayError('invalid_request', message, { param: 'speakers' });
  }
  return 'speakers';
}

/**
 * Appends the recordings of known voices to the recording to transcribe, so that there is one file to pass on and remove.
 * @param file is extended
 * @returns the properties of the job that describe its file
 * @throws HearsayError `invalid_request` if they are no such files, or not as many as names; `storage_full`
 */
export async function withKnownSpeakers(
  { 'known_speaker_names[]': names = [], speaker_count: count }: SpeakerRequest,
  file: StoredFile,
  { files: voices, fault }: EmbeddedItems,
): Promise<Pick<TranscriptionJob, 'recording' | 'speakers'>> {
  if (fault) throw fault;
  if (names.length !== voices.length) {
    const message = `${NAMES} and ${REFERENCES} must have as many items: there are ${names.length} and ${voices.length}.`;
    throw new HearsayError('invalid_request', message, { param: names.length < voices.length ? NAMES : REFERENCES });
  }
  const options: DiarizationOptions = count === undefined ? {} : { count };
  if (voices.length === 0) return { speakers: options };
  const recording = { start: 0, end: file.bytes };
  const known: KnownSpeaker[] = [];
  for (const [index, { path, bytes }] of voices.entries()) {
    await appendFile(file.path, await readFile(path)).catch((error) => {
      throw storageError(error);
    });
    known.push({ name: names[index]!, recording: { start: file.bytes, end: file.bytes + bytes } });
    file.bytes += bytes;
  }
  return { recording, speakers: { ...options, known } };
}
