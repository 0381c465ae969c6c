import { maxTotalPauseSeconds, pausesTooLong } from '../control-tokens.ts';
import { unknownPhonemes } from '../phoneme-alphabet.ts';
import { fromIpa } from '../phoneme-input.ts';
import type { GivenReading, TextPart } from '../types.ts';
import { PassageList, type SsmlPassage, type Way } from './passage-list.ts';
import { sayAsReading } from './say-as.ts';
import { breakSeconds, type Relative, rateOf, volumeOf } from './values.ts';
import { invalidSsml, type Position, parseXml, type XmlElement, type XmlHandler } from './xml.ts';

/** Characters of a `say-as`, `sub` or `phoneme`, of an alias, and of phonemes. */
const MAX_WRITTEN = 200;
const MAX_READING = 400;
const MAX_MARK_NAME = 200;

/** Elements whose content is spoken as if they were not there. */
const TRANSPARENT = new Set(['emphasis', 'audio', 'w', 'token', 'lookup']);
/** Elements whose content is not spoken. */
const SKIPPED = new Set(['desc', 'metadata', 'meta', 'lexicon']);
const PARAGRAPHS = new Set(['p', 'paragraph']);
const SENTENCES = new Set([...PARAGRAPHS, 's', 'sentence']);

/** An open element. */
interface Frame {
  way: Way;
  /** Whether its content is left out. */
  skips: boolean;
  /** Set if a sentence or a paragraph ends before and with it. */
  bound?: Extract<TextPart, { type: 'pause' }>;
  /** Set if it holds text alone, which is read in its own way. */
  given?: { element: XmlElement; written: string };
}

/**
 * Reads an SSML document: https://www.w3.org/TR/speech-synthesis11/
 * @returns stretches that are spoken in one way each, in order
 * @throws HearsayError `invalid_request` with line and column
 */
export async function readSsml(document: string): Promise<SsmlPassage[]> {
  const reader = new SsmlReader();
  await parseXml(document, reader);
  return reader.passages;
}

class SsmlReader implements XmlHandler {
  readonly #list = new PassageList();
  readonly #open: Frame[] = [];
  #pauseSeconds = 0;

  get passages(): SsmlPassage[] {
    return this.#list.end();
  }

  open(element: XmlElement): void {
    const parent = this.#open.at(-1);
    const { name, position } = element;
    if (!parent && name !== 'speak') throw invalidSsml('the document element must be <speak>.', position);
    if (parent && name === 'speak') throw invalidSsml('<speak> may only be the document element.', position);
    if (parent?.given) throw invalidSsml(`<${parent.given.element.name}> may hold text only.`, position);
    const way = parent?.way ?? { rate: 1, volume: 1 };
    const frame: Frame = { way, skips: parent?.skips ?? false };
    this.#open.push(frame);
    if (!frame.skips && name !== undefined) this.#enter(name, element, frame);
  }

  #enter(name: string, element: XmlElement, frame: Frame): void {
    const { position } = element;
    if (SKIPPED.has(name)) frame.skips = true;
    else if (SENTENCES.has(name)) {
      frame.bound = { type: 'pause', seconds: 0, ...(PARAGRAPHS.has(name) && { endsParagraph: true }) };
      frame.way = withLanguage(frame.way, element, false);
      this.#list.add(frame.bound, frame.way);
    } else if (name === 'speak') frame.way = withLanguage(frame.way, element, false);
    else if (name === 'lang') {
      required(element, 'xml:lang');
      frame.way = withLanguage(frame.way, element, true);
    } else if (name === 'voice') {
      const voice = { value: required(element, 'name'), position };
      frame.way = withLanguage({ ...frame.way, voice, language: undefined }, element, false);
    } else if (name === 'prosody') frame.way = withProsody(frame.way, element);
    else if (name === 'break') this.#break(element, frame);
    else if (name === 'mark') {
      const mark = required(element, 'name');
      if (mark.length > MAX_MARK_NAME)
        throw invalidSsml(`the name of a mark may have ${MAX_MARK_NAME} characters at most.`, position);
      this.#list.addMark(mark, frame.way);
    } else if (name === 'say-as' || name === 'sub' || name === 'phoneme') {
      required(element, name === 'say-as' ? 'interpret-as' : name === 'sub' ? 'alias' : 'ph');
      frame.given = { element, written: '' };
    } else if (!TRANSPARENT.has(name)) {
      throw invalidSsml(`the element <${name.slice(0, 50)}> is unknown.`, position);
    }
  }

  #break({ attributes, position }: XmlElement, { way }: Frame): void {
    const seconds = breakSeconds(attributes.get('time'), attributes.get('strength'));
    if (typeof seconds === 'string') throw invalidSsml(seconds, position);
    this.#pauseSeconds += seconds;
    if (this.#pauseSeconds > maxTotalPauseSeconds) throw invalidSsml(pausesTooLong, position);
    if (seconds > 0) this.#list.add({ type: 'pause', seconds }, way);
    // A boundary between words all the same.
    else this.#list.addText(' ', way);
  }

  text(text: string): void {
    const frame = this.#open.at(-1);
    if (!frame || frame.skips) return;
    if (!frame.given) {
      this.#list.addText(text, frame.way);
      return;
    }
    const { given } = frame;
    given.written += text;
    if (given.written.length > MAX_WRITTEN)
      throw invalidSsml(`<${given.element.name}> may hold ${MAX_WRITTEN} characters at most.`, given.element.position);
  }

  close(): void {
    const { way, given, bound } = this.#open.pop()!;
    if (bound) this.#list.add(bound, way);
    if (!given) return;
    const part = givenPart(given.element, given.written.replace(/[ \t\r\n]+/g, ' '));
    if (part) this.#list.add(part, way);
  }
}

/** What to say for the text of a `say-as`, `sub` or `phoneme`; undefined for nothing. */
function givenPart({ name, attributes, position }: XmlElement, written: string): TextPart | undefined {
  if (name === 'phoneme') return phonemePart(attributes, written, position);
  if (written.trim() === '') return undefined;
  const reading: GivenReading | undefined =
    name === 'sub'
      ? { alias: attributes.get('alias')! }
      : sayAsReading(written, attributes.get('interpret-as')!, attributes.get('format'));
  if (reading && 'alias' in reading && reading.alias.length > MAX_READING)
    throw invalidSsml(`an alias may have ${MAX_READING} characters at most.`, position);
  return reading ? { type: 'reading', written, reading } : { type: 'text', text: written };
}

function phonemePart(attributes: XmlElement['attributes'], written: string, position: Position): TextPart {
  const alphabet = (attributes.get('alphabet') ?? 'ipa').trim().toLowerCase();
  if (alphabet !== 'ipa') throw invalidSsml('the alphabet of a <phoneme> must be ipa.', position);
  const phonemes = attributes.get('ph')!.trim();
  if (phonemes.length > MAX_READING)
    throw invalidSsml(`phonemes may have ${MAX_READING} characters at most.`, position);
  const ipa = fromIpa(phonemes);
  const unknown = unknownPhonemes(ipa);
  if (unknown.length > 0) {
    throw invalidSsml(`a pronunciation has unknown phonemes: ${unknown.slice(0, 20).join(' ')}`, position);
  }
  return { type: 'reading', written: written.trim() === '' ? phonemes : written, reading: { ipa } };
}

/** @throws HearsayError if the attribute is missing or blank */
function required({ name, attributes, position }: XmlElement, attribute: string): string {
  const value = attributes.get(attribute);
  if (value === undefined || value.trim() === '')
    throw invalidSsml(`<${name}> needs the attribute ${attribute}.`, position);
  return value;
}

/** @param isExact whether the accent of the language also applies to a voice of the same language */
function withLanguage(way: Way, { attributes, position }: XmlElement, isExact: boolean): Way {
  const value = attributes.get('xml:lang')?.trim();
  return value ? { ...way, language: { value, isExact, position } } : way;
}

function withProsody(way: Way, { attributes, position }: XmlElement): Way {
  const changed = (attribute: string, current: number, read: (value: string) => Relative | string): number => {
    const value = attributes.get(attribute);
    const change = value === undefined ? undefined : read(value);
    if (typeof change === 'string') throw invalidSsml(change, position);
    if (!change) return current;
    return change.to === 'request' ? change.factor : current * change.factor;
  };
  return {
    ...way,
    rate: changed('rate', way.rate, rateOf),
    volume: changed('volume', way.volume, volumeOf),
    position,
  };
}
