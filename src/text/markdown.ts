import { fenceAfter } from './code-fence.ts';
import { plainFormula, scriptOf } from './latex.ts';
import { textBefore } from './patterns.ts';
import { beginsSubtitle, isBesideSubtitle } from './subtitles.ts';

// A pattern that ends with optional spaces takes quadratic time or more for many of them within a line: trim lines instead.

/** Longer lines are cut. */
const maxLine = 4000;

const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/;
/** Of a heading; the `#` of `C#` belongs to it. */
const closingMarks = /(?<![^ \t])#+$/;
const ruler = /^ {0,3}(?:([-*_])(?:[ \t]{0,4}\1){2,200}|={2,200})[ \t]*$/;
/** A formula on several lines ends at a blank line at the latest, as in TeX. */
const formulaStart = /^[ \t]*(?:\$\$(?!\$)|\\\[)(?!.{0,3990}(?:\$\$|\\\]))[ \t]*(.*)$/;
const formulaEnd = /^(.*?)(?:\$\$|\\\])[ \t]*[.,]?$/;
const lostFormulaEnd = /^[ \t]*\\\][ \t]*$/;
const quote = /^ {0,3}(?:>[ \t]?){1,9}/;
const alert = /^[ \t]*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$/;
const bullet = /^([ \t]{0,40})[*+](?=[ \t])/;
const task = /^([ \t]{0,40}(?:-|\d{1,3}[.)])[ \t]{1,4})\[([ xX])\](?=[ \t])/;
const footnote = /^ {0,3}\[\^[^\]\s]{1,40}\]:[ \t]*/;
const linkDefinition =
  /^ {0,3}\[[^\]^][^\]]{0,200}\]:[ \t]*<?(?:[a-z]{2,10}:|\/|#|\.|www\.)\S{0,2000}[ \t]*(?:["'(].{0,300}["')])?$/i;
const tableDelimiter = /^ {0,3}\|?[ \t]*:?-{1,200}:?[ \t]*(?:\|[ \t]*:?-{1,200}:?[ \t]*){0,60}\|?$/;

/** A row between bars, without the header and rule of a Markdown table: `| a | b |`; not `|x| + |y|` */
const borderedRow = /^\|(?![ \t]{0,9}[-+*/=<>≤≥&|])(?:(?=[^|]{0,8}[^|+*/=<>≤≥&-])[^|]{1,300}\|){2,40}$/;

/** A path between slashes is a pronunciation: `[word](/ipa/)`. */
const destination = String.raw`(?!\/[^/\r\n]{1,400}\/\))(?:<[^<>\n]{0,2000}>|(?=[^()\s]{0,200}[./#:?@])[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?)?(?:[ \t]{1,4}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?[ \t]{0,4}`;
/** Between dollar signs: `$5$`, `$2x + 3$`; `$5 and $6` and `$5-$6` are amounts. */
const calculation = String.raw`-?\d(?:[\d.,+*/^=()<>{}_ -]|[a-zA-Z](?![a-zA-Z])){0,60}(?<![\s-])`;
/** Between dollar signs: letters without words, `$(1, 2)$`, `$f'(x)$`, `$a, b$`, `$n-1$`; `$A or $B` are none. */
const unknowns = String.raw`(?=[a-zA-Z(|-])(?:[a-zA-Z]{1,3}(?![a-zA-Z])|[\d ()'!/|<>,.:*−-]){1,40}`;
/** Numbers of sources, which are left out: `in France [1], in Spain [2][3].`, `models [4], [5]–[7], [8,9]`, `首都[1]` */
const source = String.raw`\[[1-9]\d{0,2}(?:(?:[,–-]|[ \t][–-][ \t])[1-9]\d{0,2}){0,9}\]`;
const nextSources = String.raw`(?:(?:,?[ \t]|[,–-])?${source})`;
const sources = `${source}${nextSources}{0,8}`;
const citation = [
  String.raw`(?<=[\p{L}\p{M}]{4}|\p{Lu}{2}|\p{Script=Devanagari}{2}|[\d%)”"».])[ \t](?:${sources}(?!${nextSources})(?=[.,;:!?।]|\s*$)|${source}${nextSources}{1,8}(?!${nextSources})(?=\s))`,
  String.raw`(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー」』）。！？।])${sources}`,
  String.raw`(?<=[\p{L}\d”"»)][.!?])${sources}(?=\s|$)`,
  String.raw`【[^】†\n]{1,20}†[^】\n]{0,60}】`,
].join('|');
/** The end of the text before a number in brackets that is read: `see section [1].`, `press [2].` */
const readBefore =
  /(?:(?<!\p{L})(?:with|from|than|into|onto|like|list|array|vector|range|index|value|output|interval|returns?|prints?|enter|type|press|select|choose|options?|items?|steps?|notes?|pages?|chapters?|refs?\.?|references?|sections?|seat|room|cf\.|cfr\.|según|como|véase|opción|paso|página|nota|referencia|selon|voir|comme|dans|pour|avec|étape|référence|secondo|come|vedi|vedere|opzione|passo|pagina|riferimento|segundo|conforme|veja|opção|referência|देखें|संदर्भ)|文献|见|参考|参照|[选按如第]|数组|列表|配列)$/iu;
const inlineMarkup = new RegExp(
  [
    '(?<!`)(?<ticks>`{1,3})(?!`)(?<code>[^\\n]{1,500}?)(?<!`)\\k<ticks>(?!`)',
    String.raw`\\\((?<round>[^\n]{1,400}?)\\\)|\\\[(?<square>[^\n]{1,400}?)\\\]|(?<!\$)\$\$(?<display>[^\n$]{1,400})\$\$(?!\$)`,
    String.raw`\\(?<escaped>[!-/:-@[-\x60{-~])`,
    String.raw`!\[(?<image>[^[\]\n]{0,300})\](?:\(${destination}\)|\[[^[\]\n]{0,100}\])`,
    // Links and images within a link match in one way only: of two, n of them would take 2^n steps.
    String.raw`\[(?![Pp][Aa][Uu][Ss][Ee]:)(?<link>(?:[^[\]\n]|\[[^[\]\n]{0,200}\](?:\([^()\n]{0,500}\)|(?!\([^()\n]{0,500}\)))){0,500})\]\(${destination}\)`,
    String.raw`(?<![\p{L}\d\])])\[(?![Pp][Aa][Uu][Ss][Ee]:)(?<reference>[^[\]\n]{0,100}\p{L}[^[\]\n]{0,100})\]\[[^[\]\n]{0,100}\]`,
    String.raw`\[\^[^\]\s]{1,40}\]`,
    `(?<citation>${citation})`,
    String.raw`<(?<address>(?:https?|ftp|mailto):[^\s<>]{1,2000}|[\w.+-]{1,64}@[\w.-]{1,100})>`,
    // Emphasis with a space within its marks, which is none in CommonMark.
    String.raw`(?<![\p{L}\p{N}*)])\*\*(?=[^\s*])(?<loose>[^*\n]{1,300}?)[ \t]\*\*(?=\s|$)|(?<=^[ \t>-]{0,20}|^[ \t]{0,10}\d{1,3}[.)][ \t]{1,3}|\p{L}[ \t](?=\*\*[ \t]\p{L}{2}[^*\n]{0,300}[^*\s]\*\*))\*\*[ \t](?=\p{L})(?<spaced>[^*\n]{1,300}?)\*\*(?![*\p{L}\p{N}])`,
    String.raw`\\boxed\{(?<boxed>(?:[^{}\n]|\{[^{}\n]{0,100}\}){1,200})\}`,
    // Of Pandoc: `H~2~O`, `x^2^`, `5^th^`.
    String.raw`(?<=[\p{L}\p{N})])(?<script>[~^])(?<small>\d{1,3}|st|nd|rd|th)\k<script>(?![~^])`,
    String.raw`(?<!\d)(?<stars>\*{2,3}|~~)(?=[^\s*~])(?<strong>[^\n]{1,500}?)(?<=\S)\k<stars>(?!\*)`,
    String.raw`(?<![\p{L}\p{N}*_])(?<star>[*_])(?=[^\s*_])(?<emphasis>[^*_\n]{1,300}?)(?<=[^\s*_])\k<star>(?![\p{L}\p{N}*_])`,
    // A formula; `$5` and `$HOME` are none.
    String.raw`(?<![\p{L}\d$])\$(?=[^$\n]{0,200}[\\^_={}+]|[a-zA-Z](?:\s?[<>≤≥]\s?[\w.]{1,9})?\$|${unknowns}\$|${calculation}\$)(?![\s.,{$]|(?!${calculation}\$)\d[^\\$\n]{0,200}\$)(?<formula>[^$\n]{1,200})(?<!\s)\$(?![\w{($])`,
  ].join('|'),
  'gu',
);

/**
 * A text without its Markdown (CommonMark, with the tables, task lists and alerts of GitHub), in pieces that end with a line.
 * The result is what a person would read aloud: the text of links and images, a row of a table as a sentence, headings and
 * rows as paragraphs. Subtitle files lose the numbers and times of their cues. Control tokens, tags and character references
 * stay, except in code, where they are text.
 */
export function* withoutMarkdown(input: string): Generator<string> {
  const lines = new Lines(input);
  const blocks = new Blocks(lines);
  let fence: string | undefined;
  let inFormula = false;
  for (let line = lines.next(); line; line = lines.next()) {
    const { text, isStart, end } = line;
    const wasOpen = fence;
    if (isStart) fence = fenceAfter(text, fence);
    if (fence !== wasOpen) yield '\n';
    else if (fence !== undefined)
      yield isBorderedRow(text) ? tableRow(text, ', ', literal) : `${literal(text)}${end}${end}`;
    else if (inFormula) {
      const [, last] = formulaEnd.exec(text.trimEnd()) ?? [];
      inFormula = last === undefined && text.trim() !== '';
      yield formulaLine(last ?? text) + end;
    } else if (isStart && formulaStart.test(text)) {
      inFormula = true;
      yield `\n${formulaLine(text.replace(formulaStart, '$1'))}${end}`;
    } else yield isStart ? blocks.read(line) : inline(text) + end;
  }
}

/** Reads the lines of tables, subtitles and other text, each from its start. */
class Blocks {
  readonly #lines: Lines;
  #inTable = false;
  #inSubtitles = false;

  /** @param lines after the one to read */
  constructor(lines: Lines) {
    this.#lines = lines;
  }

  read({ text, end }: Line): string {
    const unquoted = text.replace(quote, '');
    const row = unquoted.trimEnd();
    const isRow = row.includes('|');
    if (this.#inTable && isRow) return tableDelimiter.test(row) ? '' : tableRow(row, ': ');
    this.#inTable = isRow && beginsTable(row, this.#lines.peek().replace(quote, '').trimEnd());
    if (this.#inTable || (isRow && isBorderedRow(row))) return tableRow(row, ', ');
    if (isBesideSubtitle(row, () => this.#lines.peek())) {
      this.#inSubtitles = true;
      return '';
    }
    // A sentence may go on in the next subtitle.
    if (row === '' && this.#inSubtitles && beginsSubtitle(this.#lines.peek())) return '';
    return lineText(unquoted, end);
  }
}

interface Line {
  text: string;
  /** Whether a line begins here; not if a long one was cut. */
  isStart: boolean;
  /** The line break, or nothing. */
  end: string;
}

class Lines {
  readonly #input: string;
  #index = 0;
  #isStart = true;

  constructor(input: string) {
    this.#input = input;
  }

  next(): Line | undefined {
    if (this.#index >= this.#input.length) return undefined;
    const line = this.#at(this.#index);
    this.#index += line.text.length + line.end.length;
    this.#isStart = line.end !== '';
    return line;
  }

  /** The text of the next line. */
  peek(): string {
    return this.#index < this.#input.length ? this.#at(this.#index).text : '';
  }

  #at(index: number): Line {
    const view = this.#input.slice(index, index + maxLine);
    const length = view.search(/\r?\n/);
    const isStart = this.#isStart;
    if (length >= 0) return { text: view.slice(0, length), isStart, end: view[length] === '\r' ? '\r\n' : '\n' };
    const cut = view.length < maxLine ? view.length : Math.max(view.lastIndexOf(' ') + 1, maxLine / 2);
    return { text: view.slice(0, cut), isStart, end: '' };
  }
}

function lineText(text: string, end: string): string {
  if (ruler.test(text) || lostFormulaEnd.test(text) || linkDefinition.test(text.trimEnd())) return '\n';
  const [, title] = heading.exec(text) ?? [];
  if (title !== undefined) return `\n${inline(title.trimEnd().replace(closingMarks, '').trimEnd())}\n\n`;
  const [, kind] = alert.exec(text) ?? [];
  if (kind) return `\n${kind[0]}${kind.slice(1).toLowerCase()}.\n\n`;
  const line = text
    .replace(footnote, '')
    .replace(/\\$/, '')
    .replace(bullet, '$1-')
    .replace(task, (_, marker: string, mark: string) => `${marker}${mark === ' ' ? '☐' : '☑'}`);
  return inline(line) + end;
}

/** Named groups of `inlineMarkup`. */
type Markup = Readonly<Record<string, string | undefined>>;

function inline(text: string): string {
  if (!/[`\\[\]<*_~^$【]/.test(text)) return text;
  return text.replace(inlineMarkup, (all, ...rest) => {
    const { citation, ...markup } = rest.at(-1) as Markup;
    if (citation === undefined) return withoutMarks(all, markup);
    const index = rest.at(-3) as number;
    return readBefore.test(textBefore({ text, index }, 16)) ? all : '';
  });
}

/** What is read of some markup, such as the text of a link. */
function withoutMarks(all: string, markup: Markup): string {
  const { code, escaped, address, image, display, boxed } = markup;
  if (code !== undefined) return literal(code.trim());
  const bracketed = markup.round ?? markup.square;
  // Escaped brackets, as in `\[RFC 6068\]`, are left out.
  if (bracketed !== undefined && !isFormula(bracketed)) return inline(bracketed);
  if (display !== undefined && !isFormula(display)) return `$$${inline(display)}$$`;
  const formula = markup.formula ?? display ?? bracketed;
  if (formula !== undefined) return literal(plainFormula(formula));
  // Brackets of a formula on several lines.
  if (escaped !== undefined) return /[[\]()]/.test(escaped) ? '' : literal(escaped);
  if (address !== undefined) return address.replace(/^mailto:/, '');
  if (boxed !== undefined) return isFormula(boxed) ? literal(plainFormula(boxed)) : inline(boxed);
  if (markup.small !== undefined) return scriptOf(markup.script === '^' ? '^' : '_', markup.small).trim();
  const inner =
    image ?? markup.link ?? markup.reference ?? markup.strong ?? markup.emphasis ?? markup.loose ?? markup.spaced;
  if (inner !== undefined) return inline(inner);
  return all.startsWith('[^') ? '' : all;
}

function isFormula(text: string): boolean {
  return /[\\^_={}+]|^\s*(?:\p{L}|[\d.,]{1,30})\s*$/u.test(text) && !text.includes('](');
}

/** A line between the marks of a formula, which may stand in other text, too. */
function formulaLine(text: string): string {
  return isFormula(text) || !/\p{L}{4}/u.test(text) ? literal(plainFormula(text)) : inline(text);
}

/** Escapes the beginning of a control token. */
function literal(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('[', '&#91;');
}

function isBorderedRow(line: string): boolean {
  return borderedRow.test(line.trim()) && cellsOf(line).every((cell) => !/^[-+*/=<>≤≥]$/.test(cell));
}

function beginsTable(header: string, next: string): boolean {
  return tableDelimiter.test(next) && cellsOf(header).length === cellsOf(next).length;
}

function cellsOf(row: string): string[] {
  const bare = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return bare.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/**
 * @param afterFirst what follows the first cell: it names the row, except in the header
 * @param read what a cell is without its marks
 */
function tableRow(row: string, afterFirst: string, read = inline): string {
  const cells = cellsOf(row).map((cell) => read(cell.replaceAll('\\|', '|')).trim());
  let text = '';
  for (const [index, cell] of cells.entries()) {
    // A dash marks an empty cell.
    if (/^[-–—]?$/.test(cell)) continue;
    const isNamed = index > 0 && cells[0] !== '' && text === cells[0];
    const separator = text === '' ? '' : /[.,;:!?…]$/.test(text) ? ' ' : isNamed ? afterFirst : ', ';
    text += separator + cell;
  }
  if (text === '') return '\n';
  return `\n${text}${/[.!?…:;]$/.test(text) ? '' : '.'}\n\n`;
}
