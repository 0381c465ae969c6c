import { z } from 'zod';
import type { Passage } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { Slices } from '../../scheduling/slices.ts';
import { maxTotalPauseSeconds, pausesTooLong } from '../../text/control-tokens.ts';
import type { SayContext } from '../context.ts';
import {
  isLonger,
  pauseAfterField,
  pausesOf,
  type Speech,
  speechFields,
  speechOf,
  textField,
  wayFields,
} from './speech-request.ts';
import { voiceChoice } from './voice-choice.ts';

export const MAX_LINES = 10_000;

/** The body of a dialogue request, and a line in it. */
export function dialogueFields(config: SayContext['config']) {
  const { defaultVoice, maxInputCharacters } = config;
  const line = z.object({
    input: textField(maxInputCharacters).describe(
      'Text of the line, which may contain `[pause:1.5s]` and `[word](/ipa/)`. All lines together may have `MAX_INPUT_CHARACTERS`.',
    ),
    ...wayFields(defaultVoice),
    pause_after: pauseAfterField.describe(
      'Seconds of silence after the line, in addition to the pause that ends its last sentence.',
    ),
  });
  const body = speechFields(config)
    .omit({ input: true, input_type: true, voice: true, speed: true, lang_code: true, volume_multiplier: true })
    .extend({
      lines: z.array(line).min(1).max(MAX_LINES).describe('The lines in order, each spoken by its voice.'),
    })
    .meta({ example: { lines: [{ input: 'Who is there?', pause_after: 1 }, { input: 'It is only the wind.' }] } });
  return { body, line };
}

type DialogueFields = z.output<ReturnType<typeof dialogueFields>['body']>;

/** Converts the fields of a request. @throws HearsayError `invalid_request` that names the line and its field */
export async function createDialogue(
  context: SayContext,
  fields: DialogueFields,
  { captions }: { captions: boolean },
): Promise<Speech> {
  const { maxInputCharacters } = context.config;
  const { lines, normalization_options: normalization } = fields;
  if (isLonger(lines.map(({ input }) => input).join(''), maxInputCharacters))
    throw invalidLines(`The lines must have no more than ${maxInputCharacters} characters together.`);
  const choose = await voiceChoice(context);
  let pauseSeconds = 0;
  const passages: Passage[] = [];
  const slices = new Slices();
  for (const [index, line] of lines.entries()) {
    const { input, speed, volume_multiplier, pause_after } = line;
    pauseSeconds += (await pausesOf(input, `lines[${index}].input`)) + pause_after;
    if (pauseSeconds > maxTotalPauseSeconds) throw invalidLines(pausesTooLong);
    const chosen = inLine(index, () => choose(line.voice, line.lang_code));
    passages.push({ text: input, ...chosen, speed, volume: volume_multiplier, pauseAfter: pause_after });
    if (slices.isOver) await slices.yield();
  }
  const { voice, language, speed, volume } = passages[0]!;
  const input = { passages, normalization, param: lines.length === 1 ? 'lines[0].input' : 'lines' };
  return speechOf(fields, { input, voice, language, speed, volume, captions });
}

function invalidLines(message: string): HearsayError {
  return new HearsayError('invalid_request', message, { param: 'lines' });
}

/** Adds the line to the field that an error names. */
function inLine<Result>(index: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HearsayError) || error.param === undefined) throw error;
    throw new HearsayError(error.code, error.message, { param: `lines[${index}].${error.param}`, cause: error });
  }
}
