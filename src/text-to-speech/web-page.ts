import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { version } from '../version.ts';
import { capabilities, type SynthesisContext, spokenVoices } from './synthesis-context.ts';

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
dt { font-weight: bold; }
dd { margin: 0 0 0.5rem; }
ul { columns: 10rem; padding-left: 1.25rem; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.25rem; }
`;

/** Nothing is loaded, nothing runs, and of styles only the one above holds. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);

const states = {
  uninitialized: 'not loaded yet: the first request loads it',
  warming: 'warming up',
  ready: 'ready',
  failed: 'failed; the log says why',
};

/** GET /web, without a key: a page that says what is running. */
export function webPageRoute(app: FastifyInstance, context: SynthesisContext): void {
  app.get('/web', { schema: { hide: true } }, (_request, reply) => {
    const { state } = context.models;
    if (state === 'warming') reply.header('refresh', '5');
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(page(context));
  });
}

function page(context: SynthesisContext): string {
  const { model } = capabilities(context);
  const voices = spokenVoices(context);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hearsay: speech synthesis</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Hearsay: speech synthesis</h1>
<dl>
<dt>Version</dt><dd>${escaped(version)}</dd>
<dt>Model</dt><dd>${escaped(model)}, ${states[context.models.state]}</dd>
<dt>Default voice</dt><dd>${escaped(context.defaultVoice)}</dd>
</dl>
<p><a href="/docs">API description</a> · <a href="/system">Telemetry</a> · <a href="/health">Health</a></p>
<h2>Try it</h2>
<pre><code>curl http://localhost:8880/v1/audio/speech \\
  -H 'Content-Type: application/json' \\
  -d '{"input": "Hello, world."}' -o speech.mp3</code></pre>
<h2>${voices.length} voices</h2>
<ul>
${voices.map(({ id }) => `<li><code>${escaped(id)}</code></li>`).join('\n')}
</ul>
</main>
</body>
</html>
`;
}
