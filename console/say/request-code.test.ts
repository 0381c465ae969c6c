import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { requestCode } from './request-code.ts';

const request = {
  input: `It's "quoted" $(id) \u202e\n\\ end`,
  voice: 'af_heart(2)+af_bella(1)',
  speed: 1.25,
  volume: 0.5,
  format: 'opus',
  stream: false,
};
const origin = 'http://localhost:8880';

describe('requestCode', () => {
  it('writes a curl command with exact arguments', () => {
    const { curl } = requestCode(request, origin, true);
    const script = `curl() { for a; do printf '%s\\0' "$a"; done; }\nAPI_KEY=sesame\n${curl}`;
    const args = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    const [url, ...rest] = args;
    expect(url).toBe(`${origin}/v1/audio/speech`);
    expect(rest.filter((_, i) => rest[i - 1] !== '-d')).toEqual([
      ...['-H', 'Authorization: Bearer sesame', '-H', 'Content-Type: application/json', '-d', '-o', 'speech.opus'],
    ]);
    expect(JSON.parse(rest[rest.indexOf('-d') + 1]!)).toEqual({
      model: 'tts-1',
      input: request.input,
      voice: 'af_heart(2)+af_bella(1)',
      response_format: 'opus',
      speed: 1.25,
      volume_multiplier: 0.5,
      stream: false,
    });
  });

  it('leaves out defaults, and the key if there is none', () => {
    const plain = { ...request, speed: 1, volume: 1, stream: true };
    for (const code of Object.values(requestCode(plain, origin, false))) {
      expect(code).not.toMatch(/speed=|speed:|volume|stream"|"stream|API_KEY/);
    }
  });

  it('writes JavaScript that sends the request', async () => {
    const { javascript } = requestCode(request, origin, false);
    const body = javascript.replace(/^import .*$/gm, '');
    const sent: unknown[] = [];
    class OpenAI {
      audio = {
        speech: {
          create: async (value: unknown) => {
            sent.push(value);
            return { arrayBuffer: async () => 'audio' };
          },
        },
      };
    }
    const AsyncFunction = (async () => {}).constructor as new (
      ...code: string[]
    ) => (...args: unknown[]) => Promise<void>;
    await new AsyncFunction('OpenAI', 'writeFile', 'Buffer', body)(
      OpenAI,
      (...args: unknown[]) => sent.push(args),
      Buffer,
    );
    expect(sent[0]).toMatchObject({ input: request.input, voice: request.voice, speed: 1.25, stream: false });
    expect(sent[1]).toMatchObject(['speech.opus', Buffer.from('audio')]);
  });

  it('writes Python literals and extra fields', () => {
    const { python } = requestCode(request, origin, true);
    expect(python).toContain(`    input="It's \\"quoted\\" $(id) \\u202e\\n\\\\ end",\n`);
    expect(python).toContain('extra_body={"volume_multiplier": 0.5, "stream": False}');
    expect(python).toContain('api_key=os.environ["API_KEY"]');
  });

  it('writes code for a dialogue that sends its lines', async () => {
    const line = { speed: 0.5, pauseAfter: 1, name: 'Ann', at: 5 };
    const lines = [{ ...line, input: 'Hi', voice: 'af_heart' }];
    const { curl, javascript, python } = requestCode({ ...request, lines, input: 'Ann: Hi' }, origin, true);
    expect(curl).toContain(`${origin}/v1/audio/dialogue`);
    expect(python).toContain('body = {"lines": [{"input": "Hi"');
    const sent: RequestInit[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(init);
      return { ok: true, arrayBuffer: async () => 'audio' };
    };
    const AsyncFunction = (async () => {}).constructor as new (
      ...code: string[]
    ) => (...args: unknown[]) => Promise<void>;
    const body = javascript.replace(/^import .*$/gm, '');
    await new AsyncFunction('fetch', 'writeFile', body)(fetch, () => {});
    expect(JSON.parse(String(sent[0]!.body))).toEqual({
      lines: [{ input: 'Hi', voice: 'af_heart', speed: 0.63, volume_multiplier: 0.5, pause_after: 1 }],
      response_format: 'opus',
      stream: false,
    });
    expect(sent[0]!.headers).toMatchObject({ authorization: expect.stringContaining('Bearer') });
  });

  it('cuts a long text, with a note', () => {
    for (const code of Object.values(requestCode({ ...request, input: 'x'.repeat(1_000_000) }, origin, false))) {
      expect(code.length).toBeLessThan(3000);
      expect(code).toMatch(/^(#|\/\/) The text is cut short here\.\n/);
    }
  });
});
