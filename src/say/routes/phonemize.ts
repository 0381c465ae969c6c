import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { assertSpoken, capabilities } from '../capabilities.ts';
import type { SayContext } from '../context.ts';
import { readLoosely } from './request-body.ts';
import { languageField, lexiconField, pausesOf, textField } from './speech-request.ts';
import { admit, SKIPPED_TEXT, synthesize } from './synthesize.ts';

const phonemized = z.object({
  phonemes: z.string().describe("The phonemes in Kokoro's alphabet, one line for each sentence and each pause"),
  tokens: z.array(z.never()).describe('Always empty'),
});

/** POST /dev/phonemize. */
export function phonemizeRoute(app: FastifyInstance, context: SayContext): void {
  route(app, {
    method: 'POST',
    url: '/dev/phonemize',
    operationId: 'phonemize',
    tag: 'dev',
    summary: 'Text to phonemes',
    description:
      "Returns Kokoro's input for a text: one line for each sentence and each pause. `/dev/generate_from_phonemes` speaks it like the text.",
    body: z
      .object({
        text: textField(context.config.maxInputCharacters),
        language: languageField.default('a').describe('A letter or a tag, as `lang_code` of `/v1/audio/speech`.'),
        lexicon: lexiconField.optional(),
      })
      .meta({ example: { text: 'Good morning.' } }),
    response: { 200: phonemized },
    preValidation: readLoosely,
    handler: async (request, reply) => {
      const { signal, slot } = admit(context, request, reply);
      const { text, language, lexicon } = request.body;
      assertSpoken(capabilities(context), { kind: 'phonemize', language });
      await pausesOf(text, 'text');
      await slot();
      let phonemes: string[] = [];
      await synthesize(
        context,
        { kind: 'phonemize', text, language, ...(lexicon && { lexicon }) },
        {
          signal,
          head: request.raw,
          mayRetry: () => true,
          onStart: async () => {
            phonemes = [];
          },
          onEvent: async (event) => {
            if (event.type === 'phonemes') phonemes.push(event.phonemes);
            if (event.type === 'skipped') reply.header(SKIPPED_TEXT, event.characters);
          },
        },
      );
      return reply.send({ phonemes: phonemes.join(''), tokens: [] } satisfies z.infer<typeof phonemized>);
    },
  });
}
