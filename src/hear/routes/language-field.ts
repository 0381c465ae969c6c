import { z } from 'zod';
import { DETECT, isDetect, languageCode } from '../transcript/languages.ts';

/** Parses a language, given by code, tag or English name, to its code; `orDetect` also takes `auto`. */
export function languageField({ orDetect = false } = {}) {
  return z.string().transform((name, context) => {
    if (orDetect && isDetect(name)) return DETECT;
    const code = languageCode(name);
    if (code !== undefined) return code;
    context.addIssue({ code: 'custom', message: `Unsupported language: ${name.slice(0, 100)}` });
    return z.NEVER;
  });
}
