import { z } from 'zod';
import { MAX_TITLE_CHARACTERS, pictureType, tagText } from '../../audio/book-tags.ts';
import { audioFormats } from '../../audio/formats.ts';
import type { Passage } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { decodeBase64 } from '../../http/base64.ts';
import { Slices } from '../../scheduling/slices.ts';
import { maxTotalPauseSeconds, pausesTooLong } from '../../text/control-tokens.ts';
import type { TextInput } from '../../text/types.ts';
import type { SayContext } from '../context.ts';
import { MAX_SPEED, MIN_SPEED } from './pace.ts';
import {
  isLonger,
  languageField,
  pauseAfterField,
  pausesOf,
  type Speech,
  speechExample,
  speechFields,
  speechOf,
  textField,
  voiceField,
} from './speech-request.ts';
import { ssmlPassages } from './ssml-passages.ts';
import { type ChooseVoice, voiceChoice } from './voice-choice.ts';

export const MAX_CHAPTERS = 10_000;
export const MAX_COVER_BYTES = 8 * 1024 * 1024;

/** A title in one line. */
const titleField = z
  // An empty text counts as not given.
  .string({ error: ({ input }) => (input === undefined ? 'must be given and not be empty' : undefined) })
  .transform(tagText)
  .refine((title) => title !== '', { error: 'must not be empty', abort: true })
  .refine(
    (title) => !isLonger(title, MAX_TITLE_CHARACTERS),
    `must have no more than ${MAX_TITLE_CHARACTERS} characters`,
  )
  .meta({ minLength: 1, pattern: '\\S' });

const coverField = z
  .string()
  .transform((text, { addIssue }) => {
    const invalid = (message: string) => {
      addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (text.length > MAX_COVER_BYTES * 2) return invalid(`must have no more than ${MAX_COVER_BYTES} bytes`);
    const bytes = decodeBase64(text);
    if (!bytes || pictureType(bytes) === undefined) return invalid('must be a JPEG or PNG in Base64');
    if (bytes.length > MAX_COVER_BYTES) return invalid(`must have no more than ${MAX_COVER_BYTES} bytes`);
    return bytes;
  })
  .meta({ contentEncoding: 'base64' });

/** The body of a request for a book, and a chapter in it. */
export function bookFields(config: SayContext['config']) {
  const chapter = z.object({
    title: titleField.describe('Title in the list of chapters; spoken only if it is also in the input.'),
    input: textField(config.maxBookCharacters).describe(
      'Text of the chapter, like the input of `/v1/audio/speech`. All inputs and titles together may have `MAX_BOOK_CHARACTERS`.',
    ),
    voice: voiceField.optional().describe('By default that of the book, like `lang_code` and `speed`.'),
    lang_code: languageField.optional(),
    speed: z.number().min(MIN_SPEED).max(MAX_SPEED).optional(),
    pause_after: pauseAfterField.describe('Seconds of silence after the chapter.'),
  });
  const body = speechFields(config)
    .omit({ input: true })
    .extend({
      title: titleField.optional().describe(`Tag of an \`m4b\`, of at most ${MAX_TITLE_CHARACTERS} characters.`),
      author: titleField.optional().describe(`Tag of an \`m4b\`, of at most ${MAX_TITLE_CHARACTERS} characters.`),
      cover: coverField
        .optional()
        .describe(
          'A JPEG or PNG of up to 8 MiB, in Base64 or as a `data:` URL; for `m4b` only, like title and author.',
        ),
      chapters: z.array(chapter).min(1).max(MAX_CHAPTERS).describe('The chapters, spoken in this order.'),
      response_format: z
        .enum(audioFormats)
        .default('m4b')
        .describe('`m4b` is AAC in MP4 with chapters and tags; other formats have all chapters in sequence.'),
      download_format: z
        .enum(audioFormats)
        .optional()
        .describe('Format of the file of `return_download_link`; by default `response_format`.'),
    })
    .meta({ example: { title: 'The Garden', chapters: [{ title: 'The Door', ...speechExample }] } });
  return { body, chapter };
}

type BookFields = z.output<ReturnType<typeof bookFields>['body']>;
type ChapterFields = BookFields['chapters'][number];

/** Room for the longest escape of most characters of a book, and for all other fields, a cover of maximum size included. */
const CHARACTER_BYTES = '\\u00e9'.length;
const OTHER_BYTES = MAX_CHAPTERS * 256 + 2 * MAX_COVER_BYTES;

/** Size limit of the JSON body. */
export function bookBodyBytes(maxBookCharacters: number): number {
  return maxBookCharacters * CHARACTER_BYTES + OTHER_BYTES;
}

/** Converts the fields of a request. @throws HearsayError `invalid_request` that names the chapter and its field */
export async function createBook(
  context: SayContext,
  fields: BookFields,
  { captions }: { captions: boolean },
): Promise<Speech> {
  const { maxBookCharacters } = context.config;
  const { chapters, title, author, cover, normalization_options: normalization, volume_multiplier: volume } = fields;
  if (isLonger(chapters.map(({ title, input }) => title + input).join(''), maxBookCharacters))
    throw invalid(`The chapters must have no more than ${maxBookCharacters} characters together.`);
  const choose = await voiceChoice(context);
  const passages: Passage[] = [];
  let pauseSeconds = 0;
  const slices = new Slices();
  for (const [index, chapter] of chapters.entries()) {
    if (fields.input_type !== 'ssml') pauseSeconds += await pausesOf(chapter.input, `chapters[${index}].input`);
    for (const passage of await chapterPassages(index, chapter, fields, choose)) {
      pauseSeconds += secondsOfParts(passage.text) + (passage.pauseAfter ?? 0);
      passages.push({ ...passage, chapter: index });
    }
    if (pauseSeconds > maxTotalPauseSeconds) throw invalid(pausesTooLong);
    if (slices.isOver) await slices.yield();
  }
  const { voice, language } = passages[0] ?? choose(fields.voice, fields.lang_code);
  return speechOf(fields, {
    input: { passages, normalization, param: chapters.length === 1 ? 'chapters[0].input' : 'chapters' },
    voice,
    language,
    speed: fields.speed,
    volume,
    captions,
    book: {
      chapters: chapters.map(({ title }) => title),
      ...(title !== undefined && { title }),
      ...(author !== undefined && { author }),
      ...(cover && { cover }),
    },
  });
}

/** The passages of a chapter: one, or those of its SSML document. */
async function chapterPassages(
  index: number,
  chapter: ChapterFields,
  book: BookFields,
  choose: ChooseVoice,
): Promise<Passage[]> {
  const { input, pause_after } = chapter;
  const isSsml = book.input_type === 'ssml';
  const voiceName = chapter.voice ?? book.voice;
  try {
    const chosen = choose(voiceName, chapter.lang_code ?? book.lang_code);
    const way = { ...chosen, speed: chapter.speed ?? book.speed, volume: book.volume_multiplier };
    const passages = isSsml ? await ssmlPassages(input, { ...way, voiceName }, choose) : [{ text: input, ...way }];
    return passages.map((passage, at) =>
      at === passages.length - 1 ? { ...passage, pauseAfter: pause_after } : passage,
    );
  } catch (error) {
    if (!(error instanceof HearsayError) || error.param === undefined) throw error;
    const isOwn = chapter[error.param as keyof ChapterFields] !== undefined;
    const param = isOwn ? `chapters[${index}].${error.param}` : error.param;
    throw new HearsayError(error.code, error.message, { param, cause: error });
  }
}

/** Seconds of the pauses of an SSML document. */
function secondsOfParts(text: TextInput): number {
  if (typeof text === 'string') return 0;
  return text.reduce((sum, part) => sum + (part.type === 'pause' ? part.seconds : 0), 0);
}

function invalid(message: string): HearsayError {
  return new HearsayError('invalid_request', message, { param: 'chapters' });
}
