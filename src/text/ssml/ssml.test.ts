import { describe, expect, it } from 'vitest';
import { HearsayError } from '../../errors.ts';
import { readSsml } from './ssml.ts';
import { MAX_ATTRIBUTES, MAX_DEPTH } from './xml.ts';

/** The parts of a document with one passage. */
async function parts(content: string) {
  const passages = await readSsml(`<speak>${content}</speak>`);
  expect(passages).toHaveLength(1);
  return passages[0]!.parts;
}

/** Passages in short: their parts as strings, with voice, language, rate and volume if they are set. */
async function outline(document: string) {
  return (await readSsml(document)).map(({ parts, way }) => {
    const said = parts.map((part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'pause'
          ? part.seconds
          : part.type === 'mark'
            ? `@${part.name}`
            : part,
    );
    return { said, voice: way.voice?.value, language: way.language?.value, rate: way.rate, volume: way.volume };
  });
}

async function refusal(document: string): Promise<string> {
  const error = await readSsml(document).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HearsayError);
  expect(error).toMatchObject({ code: 'invalid_request', param: 'input' });
  return (error as HearsayError).message;
}

const plain = { voice: undefined, language: undefined, rate: 1, volume: 1 };

describe('readSsml', () => {
  it('joins text across comments, CDATA, character references and elements without effect', async () => {
    const content =
      'One wo<!-- x -->rd <![CDATA[<b> & ]]>&amp; &#x2019;\n  <emphasis level="strong">two</emphasis> three';
    expect(await parts(content)).toEqual([{ type: 'text', text: 'One word <b> & & ’ two three' }]);
  });

  it('ends sentences only with p and s', async () => {
    const document = '<speak><p><s>One</s><s>Two</s></p> Three</speak>';
    expect(await outline(document)).toEqual([{ ...plain, said: ['One', 0, 'Two', 0, ' Three'] }]);
  });

  it('ends paragraphs with p, not with s', async () => {
    const bounds = async (content: string) =>
      (await parts(content)).map((part) => (part.type === 'pause' ? (part.endsParagraph ?? false) : part.type));
    expect(await bounds('<p>One</p><p>Two</p>')).toEqual(['text', true, 'text', true]);
    expect(await bounds('One<p><s>Two</s><s>Three</s></p>Four')).toEqual([
      'text',
      true,
      'text',
      false,
      'text',
      true,
      'text',
    ]);
    expect(await bounds('<s>One</s><s><p>Two</p></s>')).toEqual(['text', true, 'text', true]);
  });

  it('reads breaks by time and by strength', async () => {
    const content =
      'A<break time="500ms"/>B<break time=" 1.5s "/>C<break/>D<break strength="x-strong"/>E<break strength="none"/>F<break time="0s"/>G';
    expect(await outline(`<speak>${content}</speak>`)).toEqual([
      { ...plain, said: ['A', 0.5, 'B', 1.5, 'C', 0.75, 'D', 1.25, 'E F G'] },
    ]);
  });

  it('keeps the written words of sub, phoneme and say-as', async () => {
    const content =
      '<sub alias="World Wide Web">WWW</sub><phoneme alphabet="ipa" ph="pɪˈkɑːn">pecan</phoneme><phoneme ph="həlˈoʊ"/><say-as interpret-as="spell-out">W3C</say-as><phoneme ph="ˈ">word</phoneme>';
    expect(await parts(content)).toEqual([
      { type: 'reading', written: 'WWW', reading: { alias: 'World Wide Web' } },
      { type: 'reading', written: 'pecan', reading: { ipa: 'pɪˈkɑːn' } },
      { type: 'reading', written: 'həlˈoʊ', reading: { ipa: 'həlˈoʊ' } },
      { type: 'reading', written: 'W3C', reading: { as: 'characters' } },
      { type: 'reading', written: 'word', reading: { ipa: 'ˈ' } },
    ]);
  });

  it.each([
    ['11/20/2026', 'mdy', '2026-11-20'],
    ['20.11.26', 'dmy', '2026-11-20'],
    ['1999-1-2', 'ymd', '1999-01-02'],
    ['20261120', 'yyyymmdd', '2026-11-20'],
    ['11202026', 'mdy', '2026-11-20'],
  ])('reads the date %s in the order %s', async (text, format, date) => {
    expect(await parts(`<say-as interpret-as="date" format="${format}">${text}</say-as>`)).toEqual([
      { type: 'reading', written: text, reading: { alias: date } },
    ]);
  });

  it.each([
    ['date', '20/11/2026', 'mdy'],
    ['date', 'yesterday', 'dmy'],
    ['date', '11/2026', 'my'],
    ['time', '3:45 pm', ''],
    ['currency', '$42.50', ''],
    ['unheard-of', 'word', ''],
  ])('leaves a %s of %s to the language, which reads it anyway', async (kind, text, format) => {
    expect(await parts(`<say-as interpret-as="${kind}" format="${format}">${text}</say-as>`)).toEqual([
      { type: 'text', text },
    ]);
  });

  it('begins a passage where voice, language, rate or volume change, but not at whitespace', async () => {
    const document = `<?xml version="1.0"?>
      <speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-US">
        One
        <voice name="bm_george">Two <prosody rate="slow" volume="-6dB">three</prosody></voice>
        <voice name="bm_george"> four </voice>
        <lang xml:lang="fr-FR">cinq</lang>
      </speak>`;
    const rows = await outline(document);
    expect(rows.map(({ said, voice, language, rate }) => [said.join('').trim(), voice, language, rate])).toEqual([
      ['One', undefined, 'en-US', 1],
      ['Two', 'bm_george', undefined, 1],
      ['three', 'bm_george', undefined, 0.75],
      ['four', 'bm_george', undefined, 1],
      ['cinq', undefined, 'fr-FR', 1],
    ]);
    expect(rows[2]!.volume).toBeCloseTo(0.501, 3);
  });

  it.each([
    ['<prosody rate="+50%"><prosody rate="-20%">x</prosody></prosody>', 1.2, 1],
    ['<prosody rate="200%"><prosody rate="80%">x</prosody></prosody>', 0.8, 1],
    ['<prosody rate="1.5" pitch="+2st" range="high" contour="(0%,+1st)" duration="3s">x</prosody>', 1.5, 1],
    ['<prosody volume="50%">x</prosody>', 1, 0.5],
    ['<prosody volume="50">x</prosody>', 1, 0.5],
    ['<prosody volume="loud"><prosody volume="+20dB">x</prosody></prosody>', 1, 20],
    ['<prosody volume="silent">x</prosody>', 1, 0],
  ])('reads %s', async (content, rate, volume) => {
    const { way } = (await readSsml(`<speak>${content}</speak>`))[0]!;
    expect(way.rate).toBeCloseTo(rate, 9);
    expect(way.volume).toBeCloseTo(volume, 9);
  });

  it('puts a mark before what follows it, and before a pause', async () => {
    const document =
      '<speak><mark name="a"/>One<mark name="b"/><break/><voice name="v"><mark name="c"/>two</voice><mark name="d"/></speak>';
    expect((await outline(document)).map(({ said }) => said)).toEqual([
      ['@a', 'One', '@b', 0.75],
      ['@c', 'two', '@d'],
    ]);
    expect((await outline('<speak>One. <mark name="two"/> Two.</speak>'))[0]!.said).toEqual(['One. ', '@two', 'Two.']);
    expect((await outline('<speak><mark name="only"/></speak>'))[0]!.said).toEqual(['@only']);
  });

  it('speaks the text in other vocabularies and the alternative of audio, without descriptions', async () => {
    const content =
      '<amazon:effect name="whispered">Hush</amazon:effect><x xmlns="urn:x">, now</x><audio src="http://x/y.mp3"><desc>a bell</desc>. Ding.</audio><metadata>no<b/></metadata>';
    expect(await parts(content)).toEqual([{ type: 'text', text: 'Hush, now. Ding.' }]);
  });

  it('treats control tokens and Markdown as text', async () => {
    expect(await parts('[pause:1s] **a** [b](/c/)')).toEqual([{ type: 'text', text: '[pause:1s] **a** [b](/c/)' }]);
  });

  const refusals: [document: string, reason: string][] = [
    ['', 'line 1, column 1: document must contain a root element'],
    ['Hello', 'text data outside of root node'],
    ['<p>a</p>', 'the document element must be <speak>'],
    ['<speak><speak/></speak>', '<speak> may only be the document element'],
    ['<speak>a', 'unclosed tag: speak'],
    ['<speak><p></speak></p>', 'unexpected close tag'],
    ['<speak>\n <brake/></speak>', 'line 2, column 8: the element <brake> is unknown'],
    ['\n\n  <?xml version="1.0"?><speak><brake/></speak>', 'line 3, column 37: the element <brake>'],
    ['\ufeff<speak><brake/></speak>', 'line 1, column 15: the element <brake>'],
    ['<speak><break time="5"/></speak>', 'the time of a break'],
    ['<speak><break time="61s"/></speak>', 'at most'],
    ['<speak><break strength="big"/></speak>', 'the strength of a break'],
    ['<speak><mark/></speak>', '<mark> needs the attribute name'],
    ['<speak><voice gender="male">a</voice></speak>', '<voice> needs the attribute name'],
    ['<speak><lang>a</lang></speak>', '<lang> needs the attribute xml:lang'],
    ['<speak><sub>a</sub></speak>', '<sub> needs the attribute alias'],
    ['<speak><say-as>a</say-as></speak>', '<say-as> needs the attribute interpret-as'],
    ['<speak><sub alias="x"><s>a</s></sub></speak>', '<sub> may hold text only'],
    ['<speak><phoneme alphabet="x-sampa" ph="a">a</phoneme></speak>', 'the alphabet of a <phoneme> must be ipa'],
    ['<speak><phoneme ph="a♥">a</phoneme></speak>', 'unknown phonemes: ♥'],
    ['<speak><prosody rate="quick">a</prosody></speak>', 'a rate is one of'],
    ['<speak><prosody rate="0%">a</prosody></speak>', 'a rate is one of'],
    ['<speak><prosody volume="-120%">a</prosody></speak>', 'a volume is one of'],
    ['<speak>a & b</speak>', '&amp;'],
    ['<speak>&nbsp;</speak>', 'entity'],
    ['<speak>\u0001</speak>', 'disallowed character'],
    ['<speak a="1" a="2"/>', 'duplicate attribute'],
    ['<!DOCTYPE speak SYSTEM "http://x/y.dtd"><speak/>', 'a document type declaration is not accepted'],
    [
      '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><speak>&b;</speak>',
      'a document type declaration is not accepted',
    ],
    ['<!DOCTYPE speak [<!ENTITY x SYSTEM "file:///etc/passwd">]><speak>&x;</speak>', 'document type declaration'],
    [`<speak>${'<p>'.repeat(100_000)}`, `nested ${MAX_DEPTH} deep at most`],
    [
      `<speak ${Array.from({ length: 50_000 }, (_, index) => `a${index}="b"`).join(' ')}/>`,
      `${MAX_ATTRIBUTES} attributes`,
    ],
    [`<speak><mark name="${'a'.repeat(500_000)}"/></speak>`, 'an attribute may have'],
    [`<speak><mark name="${'a'.repeat(300)}"/></speak>`, 'the name of a mark may have'],
    [`<speak><sub alias="x">${'a'.repeat(201)}</sub></speak>`, '<sub> may hold 200 characters at most'],
    [`<speak><sub alias="${'a'.repeat(401)}">a</sub></speak>`, 'an alias may have 400 characters at most'],
  ];
  it.each(refusals.map(([document, reason]) => [reason, document] as const))(
    'refuses: %s',
    async (reason, document) => {
      const message = await refusal(document);
      expect(message).toContain(reason);
      expect(message).toMatch(/^The SSML is invalid at line \d+, column \d+: .{1,300}$/s);
    },
  );

  it('refuses breaks of more than two hours together', async () => {
    expect(await refusal(`<speak>${'<break time="60s"/>'.repeat(121)}</speak>`)).toContain('7200 seconds');
  });

  it('reads or refuses any damaged document', async () => {
    const document =
      '<?xml version="1.0"?><speak xml:lang="en"><p>a<s>b &amp; &#99;</s></p><break time="1s"/><voice name="v"><prosody rate="50%" volume="+1dB">c</prosody></voice><sub alias="d">e</sub><say-as interpret-as="date" format="mdy">1/2/2026</say-as><phoneme ph="a">f</phoneme><mark name="g"/><![CDATA[h]]><!-- i --></speak>';
    const pieces = [
      '<',
      '>',
      '/',
      '"',
      '&',
      ';',
      '<p>',
      '</s>',
      ' a="',
      ']]>',
      '<!--',
      '<!DOCTYPE a>',
      '\0',
      '\ud800',
      'é',
      ' xmlns="urn:a"',
      ':',
    ];
    let seed = 27;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % limit;
    };
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < 3000; round++) {
      let damaged = document;
      for (let change = next(4); change >= 0; change--) {
        const [from, length] = [next(damaged.length), next(3) === 0 ? next(60) : 0];
        damaged = damaged.slice(0, from) + pieces[next(pieces.length)] + damaged.slice(from + length);
      }
      await readSsml(damaged).then(
        () => outcomes.read++,
        (error: unknown) => {
          expect(error, damaged).toBeInstanceOf(HearsayError);
          outcomes.refused++;
        },
      );
    }
    expect(outcomes.read).toBeGreaterThan(50);
    expect(outcomes.refused).toBeGreaterThan(1000);
  });
});
