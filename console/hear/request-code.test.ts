import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { requestCode } from './request-code.ts';

const request = {
  task: 'transcriptions',
  fileName: `it's "a"; $(talk).mp3`,
  language: 'de',
  names: "@Zoë's, <x",
  format: 'verbose_json',
} as const;
const origin = 'http://localhost:8000';

function argumentsOf(curl: string): string[] {
  const script = `curl() { for a; do printf '%s\\0' "$a"; done; }\nAPI_KEY=sesame\n${curl}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('requestCode', () => {
  it('writes a curl command with exact arguments', () => {
    expect(argumentsOf(requestCode(request, origin, true).curl)).toEqual([
      `${origin}/v1/audio/transcriptions`,
      ...['-H', 'Authorization: Bearer sesame'],
      ...['--form-string', 'response_format=verbose_json', '--form-string', 'language=de'],
      ...['--form-string', "keywords[]=@Zoë's", '--form-string', 'keywords[]=<x'],
      ...['--form-string', 'timestamp_granularities[]=word'],
      ...['-F', `file=@"it's \\"a\\"; $(talk).mp3"`],
    ]);
  });

  it('has only the fields of its task', () => {
    for (const code of Object.values(requestCode({ ...request, task: 'translations', names: '' }, origin, false))) {
      expect(code).not.toMatch(/language|prompt|keywords|granularities|API_KEY/);
      expect(code).toContain('translations');
    }
  });

  it('asks for speakers in the way that the libraries know, if there is one', () => {
    const words = requestCode({ ...request, speakers: true }, origin, false);
    for (const code of Object.values(words)) {
      expect(code).toContain('diarized_json');
      expect(code).not.toMatch(/speakers|granularities/);
    }
    const { curl, javascript, python } = requestCode({ ...request, format: 'srt', speakers: true }, origin, false);
    expect(argumentsOf(curl)).toContain('speakers=true');
    expect(javascript).toContain('  response_format: "srt",\n  language: "de",\n  speakers: "true",\n');
    expect(python).toContain('        extra_body={"speakers": "true"},\n    )');
  });

  it('quotes names and texts for each language', () => {
    const { javascript, python } = requestCode(request, origin, false);
    expect(javascript).toContain(`  file: createReadStream("it's \\"a\\"; $(talk).mp3"),\n`);
    expect(javascript).toContain(`  keywords: ["@Zoë's", "<x"],\n  timestamp_granularities: ["word"],\n`);
    expect(python).toContain(`with open("it's \\"a\\"; $(talk).mp3", "rb") as file:\n`);
    expect(python).toContain('        timestamp_granularities=["word"],\n');
  });
});
