import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesisApp, type TestApp } from './fixtures/synthesis-app.ts';

let t: TestApp;
let url: string;
beforeAll(async () => {
  t = await synthesisApp({ maxInputCharacters: 100_000, allowLocalVoiceSaving: true });
  url = await t.listen();
});
afterAll(() => t.close());

/** Mulberry32, so that failures repeat. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Answer {
  status: number;
  body: string;
}

/** Sends a raw request: neither path nor body is normalized. */
function send(method: string, path: string, body?: string | Buffer, type = 'application/json'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    request(url, { method, path, headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, body: text });
    })
      .on('error', reject)
      .end(body);
  });
}

function expectRefusal(what: string, { status, body }: Answer, allowed = [400]): void {
  expect(allowed, `${what.slice(0, 200)} was answered with ${status}: ${body.slice(0, 200)}`).toContain(status);
  const { error, detail } = JSON.parse(body);
  expect(error).toMatchObject({ code: status, type: 'invalid_request_error', message: expect.any(String) });
  expect(error.message.length).toBeLessThan(500);
  expect(detail).toBeTruthy();
}

const speech = '/v1/audio/speech';
const routes = [speech, '/dev/captioned_speech'];
const dialogues = ['/v1/audio/dialogue', '/dev/captioned_dialogue'];
const books = ['/v1/audio/book', '/dev/captioned_book'];
const neverText: unknown[] = [0, -1, 1e300, true, false, [], {}, ['af_heart'], { toString: 'x' }, [[]]];
/** Without the empty text, which counts as absent. */
const oddText = [
  [' ', '\0', '\ud800', 'a\udfffb', '\u202e', '\ufeff', '\u{10ffff}', 'é'.repeat(5000)],
  ['../../etc/passwd', '/etc/passwd', 'af_heart/../../x', '..\\..\\x', 'af_heart\0.bin', '%2e%2e%2f', 'file:///x'],
  ['constructor', '__proto__', 'toString', '<script>', "' OR 1=1 --", '$' + '{7*7}', '{{7*7}}', '\r\nX: y'],
  ['NaN', 'Infinity', 'null', 'undefined', 'true', '1e9', '[object Object]', '('.repeat(50_000)],
].flat();

/** `true` as text is a boolean. */
const noBoolean = oddText.filter((text) => text !== 'true');

/** Wrong values for each field. */
const wrong: Record<string, unknown[]> = {
  input: [
    ...neverText,
    null,
    '',
    ' ',
    '\n\t\r',
    'x'.repeat(100_001),
    '[pause:61s]',
    'a [PAUSE:99999999999s] b',
    '[pause:60s]'.repeat(9000),
  ],
  input_type: [...neverText, ...oddText, 'SSML', 'ssml ', 'xml'],
  model: [...neverText, ...oddText, 'tts-2', 'TTS-1', 'tts-1 '],
  voice: [
    ...neverText,
    ...oddText,
    ...['af_heart(', 'af_heart)', 'af_heart()', 'af_heart(0)', 'af_heart(-1)', 'af_heart(1e999)', 'af_heart(NaN)'],
    ...['af_heart+', '+af_heart', 'af_heart++af_bella', 'af_heart-af_heart', 'af_heart(1)(2)', 'af_heart af_bella'],
    ...['af_heart(0x10)', 'af_heart(1)-af_bella(1)', 'jf_alpha', 'af_heart+'.repeat(10_000)],
  ],
  response_format: [...neverText, ...oddText, 'MP3', 'ogg', 'mp3 '],
  download_format: [...neverText, ...oddText, '../x', 'mp4'],
  speed: [...oddText, true, [], {}, 0, -1, 0.2499, 4.0001, 1e300, -1e300],
  stream: [...noBoolean, 2, -1, 'maybe', [], {}],
  return_download_link: [...noBoolean, 2, 0.5, 'maybe', [], {}],
  lang_code: [...neverText, ...oddText, 'x', 'xx', 'tlh', 'fr', 'ja-JP', 'zh'],
  volume_multiplier: [...oddText, true, [], {}, 0, -1, 10.1, 1e300],
  normalization_options: [
    ...[0, 1, true, false, [], 'no', [{}]],
    ...oddText.slice(0, 9).map((normalize) => ({ normalize })),
    { normalize: 2 },
    { unit_normalization: 'maybe' },
    { url_normalization: [] },
    { phone_normalization: {} },
  ],
};

describe('hostile requests for speech', () => {
  it.each(Object.keys(wrong))('a wrong %s is a 400 that names the field', async (field) => {
    for (const [number, value] of wrong[field]!.entries()) {
      const body = JSON.stringify({ input: 'Hello', [field]: value });
      const answer = await send('POST', routes[number % routes.length]!, body);
      expectRefusal(body, answer);
      expect(JSON.parse(answer.body).error.param, body.slice(0, 200)).toMatch(new RegExp(`^${field}(\\.|$)`));
    }
    expect(t.models.jobs).toEqual([]);
  });

  it.each(['input', 'voice', 'speed', 'lang_code', 'volume_multiplier'])(
    'a wrong %s of a line is a 400 that names the line and the field',
    async (field) => {
      for (const [number, value] of wrong[field]!.entries()) {
        const line = { input: 'Hello', [field]: value };
        const body = JSON.stringify({ lines: [{ input: 'Hello' }, line] });
        const answer = await send('POST', dialogues[number % dialogues.length]!, body);
        expectRefusal(body, answer);
        expect(JSON.parse(answer.body).error.param, body.slice(0, 200)).toMatch(
          new RegExp(`^lines\\[1\\]\\.${field}(\\.|$)`),
        );
      }
      expect(t.models.jobs).toEqual([]);
    },
  );

  const wrongTitles = [...neverText, null, '', ' ', '\0', '\r\n', '\u0085\u2028', '('.repeat(50_000), 'é'.repeat(5000)];

  it.each(['title', 'input', 'voice', 'speed', 'lang_code'])(
    'a wrong %s of a chapter is a 400 that names the chapter and the field',
    async (field) => {
      for (const [number, value] of (wrong[field] ?? wrongTitles).entries()) {
        const chapter = { title: 'Two', input: 'Hello', [field]: value };
        const body = JSON.stringify({ chapters: [{ title: 'One', input: 'Hello' }, chapter] });
        const answer = await send('POST', books[number % books.length]!, body);
        expectRefusal(body, answer);
        expect(JSON.parse(answer.body).error.param, body.slice(0, 200)).toMatch(
          new RegExp(`^chapters\\[1\\]\\.${field}(\\.|$)`),
        );
      }
      expect(t.models.jobs).toEqual([]);
    },
  );

  it('a wrong cover or list of chapters is a 400 that names it', async () => {
    const chapters = [{ title: 'One', input: 'Hello' }];
    const bodies = [
      ...[...neverText, ...oddText, 'data:image/png;base64,', 'data:image/png;base64,iVBO', '/9j', 'R0lGODlh'].map(
        (cover) => ({
          cover,
          chapters,
        }),
      ),
      ...[...neverText, ...oddText, [null], [[]], ['a'], Array(10_001).fill({}), Array(150_000).fill(0)].map(
        (chapters) => ({
          chapters,
        }),
      ),
    ];
    for (const [number, fields] of bodies.entries()) {
      const body = JSON.stringify(fields);
      const answer = await send('POST', books[number % books.length]!, body);
      expectRefusal(body, answer);
      const param = 'cover' in fields ? /^cover$/ : /^chapters(\[0\])?$/;
      expect(JSON.parse(answer.body).error.param, body.slice(0, 200)).toMatch(param);
    }
  });

  it('wrong lines are a 400 that names them', async () => {
    const many = (count: number, line: unknown) => Array.from({ length: count }, () => line);
    for (const lines of [...neverText, ...oddText, [null], [[]], ['a'], many(10_001, {}), many(150_000, 0)]) {
      for (const path of dialogues) {
        const body = JSON.stringify({ lines });
        const answer = await send('POST', path, body);
        expectRefusal(body, answer);
        expect(JSON.parse(answer.body).error.param, body.slice(0, 200)).toMatch(/^lines(\[0\])?$/);
      }
    }
  });

  it('random combinations of wrong fields are a 400', async () => {
    const next = random(20_261_120);
    const fields = Object.keys(wrong);
    for (let i = 0; i < 300; i++) {
      const chosen = Array.from({ length: 1 + next(4) }, () => fields[next(fields.length)]!);
      const members = chosen.map((field) => [field, wrong[field]![next(wrong[field]!.length)]]);
      const body = JSON.stringify({ input: 'Hello', ...Object.fromEntries(members) });
      expectRefusal(body, await send('POST', routes[next(routes.length)]!, body));
    }
    expect(t.models.jobs).toEqual([]);
  });

  const bodies: [string, string | Buffer, number[]][] = [
    ['nothing', '', [400]],
    ['no JSON', '{input: "Hello"}', [400]],
    ['half of it', '{"input": "Hel', [400]],
    ['two values', '{"input": "a"} {"input": "b"}', [400]],
    ['a list', '["input"]', [400]],
    ['text', '"Hello"', [400]],
    ['a number', '7', [400]],
    ['null', 'null', [400]],
    ['a nested list', `{"input": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, [400]],
    ['a nested object', `{"input": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, [400]],
    ['a megabyte of brackets', '['.repeat(1_000_000), [400]],
    ['a megabyte of quotes', '"'.repeat(1_000_000), [400]],
    ['a megabyte of digits', `{"input": "Hello", "speed": ${'9'.repeat(1_000_000)}}`, [400]],
    ['a number beyond all', '{"input": "Hello", "speed": 1e999}', [400]],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), [400]],
    ['zeros', Buffer.alloc(10_000), [400]],
    ['UTF-16', Buffer.from('{"input": "Hello"}', 'utf16le'), [400]],
    ['too much', Buffer.alloc(3_000_000, 0x20), [413]],
    ['a long text', JSON.stringify({ input: '['.repeat(1_000_000) }), [400]],
    ['a long voice', JSON.stringify({ input: 'Hello', voice: '('.repeat(1_000_000) }), [400]],
    ['many fields', `{${Array.from({ length: 50_000 }, (_, i) => `"f${i}": null`).join(',')}}`, [400]],
  ];
  it.each(bodies)('a body of %s', async (_name, body, allowed) => {
    for (const route of [...routes, '/dev/phonemize', '/dev/generate_from_phonemes']) {
      expectRefusal(route, await send('POST', route, body), allowed);
    }
  });

  it.each(['__proto__', 'constructor'])('a member %s, which is left out like other unknown ones', async (name) => {
    const { status } = await send('POST', speech, `{"input": "Hello", "${name}": {"prototype": {"input": 1}}}`);
    expect(status).toBe(200);
  });

  it('a foreign content type', async () => {
    const body = '{"input": "Hello"}';
    expectRefusal('xml', await send('POST', speech, body, 'application/xml'), [415]);
    expectRefusal('a form', await send('POST', speech, body, 'multipart/form-data; boundary=x'), [415]);
    expectRefusal('text', await send('POST', speech, body, 'text/plain'), [415]);
    expectRefusal('voices as text', await send('POST', '/v1/audio/voices/combine', 'af_heart', 'text/plain'), [415]);
    expectRefusal('no type', await send('POST', speech, body, ''), [400, 415]);
  });
});

it('wrong voices to combine are a 400', async () => {
  for (const voice of wrong.voice!.filter((value) => value !== 'jf_alpha')) {
    const body = JSON.stringify(voice);
    expectRefusal(body, await send('POST', '/v1/audio/voices/combine', body));
  }
  expect(t.combined).toEqual([]);
});

it('wrong texts and phonemes are a 400', async () => {
  for (const value of [...neverText, null, '', ' ', 'x'.repeat(100_001)]) {
    const text = JSON.stringify({ text: value, phonemes: value });
    expectRefusal(text, await send('POST', '/dev/phonemize', text));
    expectRefusal(text, await send('POST', '/dev/generate_from_phonemes', text));
  }
  for (const language of wrong.lang_code!) {
    const body = JSON.stringify({ text: 'Hello', language });
    expectRefusal(body, await send('POST', '/dev/phonemize', body));
  }
  for (const phonemes of ['漢字', '\0', '7', 'həlˈO\t', 'ə[pause:61s]', `${'(('.repeat(40_000)}%`, '\ud800']) {
    const body = JSON.stringify({ phonemes });
    expectRefusal(body, await send('POST', '/dev/generate_from_phonemes', body));
  }
});

it('no path escapes the directory of downloads', async () => {
  const names = [
    ...['', '.', '..', '../', '../../etc/passwd', '../../../../../../etc/passwd', '/etc/passwd', '//etc/passwd'],
    ...[
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
      '..%5c..%5cx',
      '%252e%252e%252fetc',
      '%00',
      'a%00.mp3',
    ],
    ...['%c0%ae%c0%ae/', '%', '%zz', '%u002e', '....//....//etc/passwd', 'a.mp3/../../x', '*', '?', '#', '~root'],
    ...['x'.repeat(499), 'x'.repeat(10_000), '__proto__', 'constructor', 'hasOwnProperty', '0'.repeat(32)],
    ...[`${'0'.repeat(32)}.mp3`, `${'0'.repeat(32)}.mp3%0a`, 'con', 'nul', 'file:///etc/passwd', '🎵', '%F0%9F%8E%B5'],
  ];
  for (const name of names) {
    const path = `/v1/download/${name}`;
    expectRefusal(path, await send('GET', encodeURI(decodeURIComponentOrNot(path)), undefined), [400, 404]);
    if (/^[\x21-\x7e]*$/.test(name)) expectRefusal(path, await send('GET', path), [400, 404]);
  }
});

function decodeURIComponentOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

it('logs no internal error for any hostile text', () => {
  const unexpected = t.log.map((line) => JSON.parse(line)).filter(({ level, status }) => level >= 50 || status >= 500);
  expect(t.log.length).toBeGreaterThan(500);
  expect(unexpected).toEqual([]);
});
