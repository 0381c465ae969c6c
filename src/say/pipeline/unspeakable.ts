import type { SynthesisJob, SynthesizerInfo } from '../../contracts/synthesis.ts';
import { HearsayError } from '../../errors.ts';
import { foreignScripts, skippedCharacters } from '../../text/scripts.ts';
import type { LanguageLetter, TextPart } from '../../text/types.ts';
import type { UserLexicon } from '../../text/user-lexicon.ts';

/** A voice of each language, for advice. */
const VOICES: Readonly<Record<LanguageLetter, string>> = {
  a: 'af_heart',
  b: 'bf_emma',
  e: 'ef_dora',
  f: 'ff_siwis',
  h: 'hf_alpha',
  i: 'if_sara',
  j: 'jf_alpha',
  p: 'pf_dora',
  z: 'zf_xiaobei',
};

/** Letters of the job's text that its language cannot speak. */
export function skippedIn(job: SynthesisJob, lexicon: UserLexicon | undefined): number {
  return textsOf(job).reduce((sum, { text, language }) => sum + skippedCharacters(text, language, lexicon), 0);
}

/** The error for a job without anything to speak; it says why, and names a voice or language that would work. */
export function unspeakable(job: SynthesisJob, { model, languages }: SynthesizerInfo): HearsayError {
  const [script] = textsOf(job).flatMap(({ text, language }) => foreignScripts(text, language));
  return new HearsayError('unspeakable_text', reason(script, model, languages), { param: paramOf(job) });
}

function reason(
  script: ReturnType<typeof foreignScripts>[number] | undefined,
  model: string,
  spoken: readonly LanguageLetter[],
): string {
  if (!script) return 'The text has nothing to speak: no word, no number and no symbol with a name.';
  const language = script.languages.find((each) => spoken.includes(each)) ?? script.languages[0];
  const missing = `The text has nothing to speak but ${script.name}, which this language does not read`;
  if (language === undefined) return `${missing}, nor does any other here.`;
  const advice = `lang_code ${language} or a voice such as ${VOICES[language]}`;
  if (spoken.includes(language)) return `${missing}; choose ${advice}.`;
  return `${missing}, nor does the model ${model}; load kokoro and choose ${advice}.`;
}

/** The field of the request that the text of a job came in. */
export function paramOf(job: SynthesisJob): string {
  if (job.kind === 'phonemize') return 'text';
  if ('phonemes' in job.input) return 'phonemes';
  return 'passages' in job.input ? job.input.param : 'input';
}

interface LanguageText {
  text: string;
  language: LanguageLetter;
}

/** The texts of a job with their languages, without phonemes. */
function textsOf(job: SynthesisJob): LanguageText[] {
  const { language } = job;
  if (job.kind === 'phonemize') return [{ text: job.text, language }];
  if ('phonemes' in job.input) return [];
  if ('text' in job.input) return [{ text: job.input.text, language }];
  return job.input.passages.flatMap(({ text, language }) =>
    typeof text === 'string' ? [{ text, language }] : text.flatMap((part) => textOf(part, language)),
  );
}

function textOf(part: TextPart, language: LanguageLetter): LanguageText[] {
  if (part.type === 'text') return [{ text: part.text, language }];
  if (part.type !== 'reading' || 'ipa' in part.reading) return [];
  return [{ text: 'alias' in part.reading ? part.reading.alias : part.written, language }];
}
