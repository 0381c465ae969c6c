import { describe, expect, it } from 'vitest';
import { englishSegments, spokenText } from './english/normalize.ts';
import { withoutMarkdown } from './markdown.ts';
import { defaultNormalization } from './normalization.ts';

/** Spoken sentences, separated by bars. */
function outline(input: string, options = {}): string {
  return [...englishSegments(input, { ...defaultNormalization, ...options })]
    .map((segment) =>
      segment.type === 'sentence'
        ? segment.tokens
            .map(({ spoken }) => spoken)
            .filter(Boolean)
            .join(' ')
        : segment.type === 'pause' && `${segment.seconds}`,
    )
    .join(' | ');
}

describe('Markdown', () => {
  it.each([
    ['# One\nText follows\n## Two *more* ##\nlower case', 'One | Text follows | Two more | lower case'],
    ['Title\n=====\nText\n\nOther\n---\nend', 'Title | Text | Other | end'],
    ['before\n***\nafter\n- - -\nmore\n___\nlast', 'before | after | more | last'],
    ['#1 fan, #topic and C# 5', 'number one fan, hashtag topic and C sharp five'],
    ['# C#\n## F# ##\n# #\n', 'C sharp | F sharp'],
  ])('headings and rulers: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    [
      '| Plan | Price | Size |\n|---|:-:|--:|\n| Free | $0 | 5 |\n| **Pro** | $10/mo | 9 |\n\nAfter it.',
      'Plan, Price, Size. | Free: zero dollars, five. | Pro: ten dollars per month, nine. | After it.',
    ],
    ['Intro:\n\nName | Age\n--- | ---\nBob | 5\nAnn | \nText', 'Intro: | Name, Age. | Bob: five. | Ann. | Text'],
    ['| A | B |\n|---|---|\n| | x |\n| Why? | It works. |', 'A, B. | X. | Why? | It works.'],
    ['| a \\| b | `c` |\n|---|---|', 'A vertical bar B, C.'],
    ['| Yes | No |\r\n|---|---|\r\n| ✅ | ❌ |\r\n', 'Yes, No. | check: cross.'],
    ['ls | grep x\nis a pipe', 'L S vertical bar grep X is a pipe'],
    ['a | b\n---\nc', 'A vertical bar B | C'],
    ['| Year | Sales |\n|---|---|\n| 2024 | 100 |\n', 'Year, Sales. | twenty twenty four: one hundred.'],
    ['| # | Score |\n|---|---|\n| 3 | 4.5 |\n', 'hash, Score. | three: four point five.'],
    ['| 1 | Ann |\n| 2 | Bob |', 'one, Ann. | two, Bob.'],
    ['+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+', 'A, B. | one, two.'],
    ['```\n| 1 | Ann |\nx = |a| + |b|\n```', 'one, Ann. | X equals absolute value of A plus absolute value of B'],
    ['|x| + |y|\n|a| - |b|', 'absolute value of X plus absolute value of Y absolute value of A — absolute value of B'],
    ['| n | + | m |\n', 'N vertical bar plus vertical bar M'],
  ])('tables: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    ['See [the docs](https://example.com/a_(b) "Title"), please.', 'See the docs, please.'],
    ['[top](#top) [file](docs/a.md) [mail](mailto:a@b.co) [x](<a b.md>)', 'top file mail X'],
    ['![a cat](cat.png) and ![](x.png)', 'a cat and'],
    ['[![build](https://x.io/b.svg)](https://x.io)', 'build'],
    ['[the *best* `one`](https://x.io)', 'the best one'],
    ['[site][1] and [other][]\n\n[1]: https://x.io "x"\n[other]: /x', 'site and other'],
    ['So it is.[^1]\n\n[^1]: Said so.', 'So it is. | Said so.'],
    ['<https://a.io> <me@a.io>', 'H T T P S colon slash slash A dot I O me at A dot I O'],
    ['In France [1], in Spain [2][3]. See [4]. It grew. [5]', 'In France, in Spain. | See (four). | It grew.'],
    [
      'press [1], the list [2], x in [1, 2], says so【4:0†source】.',
      'press (one), the list (two), X in (one, two), says so.',
    ],
    [
      'some skills [1], [2], [4]–[6] or even paradigms [2,3], or fields [8 – 11]. It grew. [7] [8]',
      'some skills or even paradigms, or fields. | It grew.',
    ],
    ['[x](y), [1], grew.[2][3] a[0][1] [not a link]', '(X) (Y), (one), grew. | A (zero) (one) (not a link)'],
    ['[word](/wɜːd/) and [pause:1s] go', 'word and | 1 | go'],
    ['No[pause:1s][Pause:2s][x](https://a.io)', 'No | 1 | 2 | X'],
  ])('links and images: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    ['- [ ] Buy milk\n- [x] Call Bob\n1. [X] Third', 'to do: Buy milk | done: Call Bob | one. done: Third'],
    ['* star\n+ plus\n  - nested **bold**: text', 'star | plus | nested bold: text'],
    ['> A quote\n> goes on\n>> deeper\n\nend', 'a quote goes on deeper | end'],
    ['> [!WARNING]\n> Watch out', 'Warning. | Watch out'],
  ])('lists and quotes: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    ['**bold**, *it*, ***both***, __under__, _em_, ~~gone~~', 'bold, it, both, under, em, gone'],
    ['un**believ**able, **Note:** this', 'unbelievable, Note: this'],
    ['5*3*2, 2**3, a*b, snake_case', 'five times three times two, two cubed, A times B, snake case'],
    ['\\*stars\\* \\_x\\_ \\# \\[b\\] 5 \\< 6\\\nend', 'stars X hash B five less than six end'],
    ['\\(x^2\\)\n$$\nE = 1\n$$', 'X squared | E equals one'],
  ])('emphasis and escapes: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    ['Use `npm install` and ``x`y``.', 'Use N P M install and X Y.'],
    ['`<div>`, `[pause:2s]`, `a[0]`, `**no**`', 'div, (pause: two S), A (zero), no'],
    ['```python\nx = 1\ny = "<b>"\n```\nAfter it.', 'X equals one | Y equals "B" | After it.'],
    ['~~~\n# no heading\n~~~', 'no heading'],
    ['````\n```js\n# a\n```\n````\n**b**', 'J S | a | B'],
    ['~~~\n```\n~~~\n**b**', 'B'],
    ['```\n**b**', 'B'],
    ['~~~ Part one ~~~\n**b**', 'Part one B'],
  ])('code: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it.each([
    ['The formula $a+b=c$ holds for $n$.', 'The formula A plus B equals C holds for N.'],
    ['It costs $5 and $6.', 'It costs five dollars and six dollars.'],
    ['Take $5$ of $2x + 3 = 7$.', 'Take five of two X plus three equals seven.'],
    ['It is $5-$6 or $7 + $8.', 'It is five dollars to six dollars or seven dollars plus eight dollars.'],
    ['$' + '{A} is git and $' + '{b}=1', 'dollar (A) is git and dollar (B) equals one'],
    ['set $HOME/bin and $PATH', 'set dollar home slash bin and dollar path'],
    ['at $90^\\circ$ and $$50$$', 'at ninety degrees and fifty'],
    [
      'Solve \\(x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\\).',
      'Solve X equals (minus B plus or minus square root of (B squared minus four A C) divided by two A.',
    ],
    [
      '\\[\n\\frac{1}{2} \\le \\alpha^{-3}\n\\]\nSo.',
      'one half less than or equal to alpha to the power of minus three | So.',
    ],
    ['$\\sum_{i=1}^{\\infty} x_i$', 'sum from I equals one to infinity of X I'],
    ['$v = \\text{well-known}$, $\\mathbb{R}^{n+1}$', 'V equals well known, R to the power of (N plus one)'],
    [
      '\\[[RFC 6068](https://a.io/b_c)\\] and \\[Symbol.for(x)\\] and \\(n\\)',
      'R F C sixty sixty eight and Symbol dot for (X) and N',
    ],
    ['$$ E = mc^2\n$$\n\nThis is how far we go.', 'E equals M C squared | This is how far we go.'],
    ['So:\n\\[\nE = mc^2 \\]\nand on.', 'So: | E equals M C squared and on.'],
    ['Text.\n\\]\nThe cat sat.', 'Text. | The cat sat.'],
    ['A\n\n$$\nThis is far.\n\nAnd so on.', 'A | This is far. | And so on.'],
    ['Make $$$ fast and get $$$ now.', 'Make fast and get now.'],
    ['Costs $$5 and $$6 now.', 'Costs dollar five dollars and dollar six dollars now.'],
    ['$\\constructor$ and $\\frac{a$', 'constructor and frac a'],
  ])('formulas: %j', (written, spoken) => expect(outline(written)).toBe(spoken));

  it('is spoken as written if the option is off', () => {
    const options = { markdown_normalization: false };
    expect(outline('[a](https://b.io)', options)).toBe('(a) (H T T P S colon slash slash B dot I O)');
    expect(spokenText('| a |', options)).toContain('vertical bar');
    expect([...englishSegments('# **a**', { ...defaultNormalization, normalize: false })]).toEqual([
      {
        type: 'sentence',
        tokens: [
          { written: '#', spoken: '#' },
          { written: '**a**', spoken: '**a**' },
        ],
      },
    ]);
  });

  it('leaves plain text alone, whatever its length', () => {
    const texts = ['One.\r\nTwo – three… 5 < 6.\n\n\tFour', 'word '.repeat(5000), `${'x'.repeat(9000)}\ny`, ''];
    for (const text of texts) expect([...withoutMarkdown(text)].join('')).toBe(text);
  });

  const spaces = ' '.repeat(1900);
  it.each([
    ['a heading', `# a${spaces}x`],
    ['a formula', `$$\na${spaces}$$${spaces}x\n$$`],
  ])('many spaces in %s take no longer than other text', (_, text) => {
    const before = process.cpuUsage().user;
    for (const _ of withoutMarkdown(text));
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  });

  it('captions show the words without their marks', () => {
    const [segment] = englishSegments('**Bold** [link](https://a.io) `code`', defaultNormalization);
    expect(segment?.type === 'sentence' && segment.tokens.map(({ written }) => written)).toEqual([
      'Bold',
      'link',
      'code',
    ]);
  });
});

it('drops the numbers of sources in other languages, unless they are mentioned', () => {
  const plain = (text: string) => [...withoutMarkdown(text)].join('');
  expect(plain('首都[1]，文献[2]指出。です。[3]')).toBe('首都，文献[2]指出。です。');
  expect(plain('राजधानी है [1], en Francia [2], según [3].')).toBe('राजधानी है, en Francia, según [3].');
});
