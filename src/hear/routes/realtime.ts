import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { HearsayError } from '../../errors.ts';
import { withoutNulls } from '../../files/json.ts';
import { toHearsayError } from '../../http/errors.ts';
import { route } from '../../http/route.ts';
import { keyOf } from '../../http/server.ts';
import { serveUpgrades, upgradeOf } from '../../http/upgrades.ts';
import { MAX_AUDIO_CHARACTERS } from '../realtime/audio-input.ts';
import type { ClientSecrets } from '../realtime/client-secrets.ts';
import {
  defaultSession,
  olderSessionView,
  sessionUpdate,
  sessionView,
  updateSession,
} from '../realtime/session-config.ts';
import type { RealtimeSessions } from '../realtime/sessions.ts';
import { newId } from '../realtime/turns.ts';

const REALTIME_PATH = '/v1/realtime';

const SECRET_SECONDS = 600;
/** Room for the event around the audio. */
const MAX_EVENT_BYTES = MAX_AUDIO_CHARACTERS + 64 * 1024;

const lifetime = z
  .preprocess(
    withoutNulls,
    z.object({
      anchor: z.literal('created_at').default('created_at'),
      seconds: z.int().min(10).max(7200).default(SECRET_SECONDS).describe('Seconds during which it can open sessions.'),
    }),
  )
  .describe('How long the secret is valid.');

const secretRequest = z.object({
  expires_after: lifetime.nullish(),
  session: sessionUpdate.loose().nullish().describe('The configuration of the sessions that it opens.'),
});
const olderSecretRequest = z.looseObject({ client_secret: z.object({ expires_at: lifetime.nullish() }).nullish() });

const sessionAnswer = z.looseObject({ id: z.string(), object: z.string(), expires_at: z.int() });
const secretAnswer = z.object({
  value: z.string().describe('A key for `GET /v1/realtime`, in place of the API key.'),
  expires_at: z.int().describe('Seconds since the epoch.'),
  session: sessionAnswer,
});
const olderSecretAnswer = sessionAnswer.extend({ client_secret: secretAnswer.pick({ value: true, expires_at: true }) });

/** GET /v1/realtime as a WebSocket, and the routes that give out keys for it. */
export function realtimeRoutes(app: FastifyInstance, sessions: RealtimeSessions, secrets: ClientSecrets): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_EVENT_BYTES,
    // Browsers fail if none of the protocols that they offer is chosen. The key is not for the response.
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
  serveUpgrades(app, REALTIME_PATH);
  app.addHook('preClose', async () => sessions.close());

  route(app, {
    method: 'GET',
    url: REALTIME_PATH,
    operationId: 'transcribeLive',
    tag: 'audio',
    summary: 'Transcribe live',
    description:
      'A WebSocket that transcribes speech while it is spoken: `?intent=transcription`, and any `model`. docs/realtime.md describes its events. A plain GET returns the error that would refuse a session, else 400.',
    handler: (request, reply) => openSession(server, sessions, secrets, request, reply),
  });
  route(app, {
    method: 'POST',
    url: '/v1/realtime/client_secrets',
    operationId: 'createRealtimeClientSecret',
    tag: 'audio',
    summary: 'Create a key for live transcription',
    description: 'A short-lived key that opens transcription sessions, for clients that must not have the API key.',
    body: secretRequest,
    response: { 200: secretAnswer },
    handler: async ({ body }, reply) => {
      const config = updateSession(defaultSession, body.session ?? {});
      sessions.assertKnownLanguages(config);
      const { value, expiresAt } = secrets.create(config, body.expires_after?.seconds ?? SECRET_SECONDS);
      return reply.send({ value, expires_at: expiresAt, session: sessionView(newId('sess'), config, expiresAt) });
    },
  });
  route(app, {
    method: 'POST',
    url: '/v1/realtime/transcription_sessions',
    operationId: 'createTranscriptionSession',
    tag: 'audio',
    summary: 'Create a key for live transcription, in the older form',
    body: olderSecretRequest,
    response: { 200: olderSecretAnswer },
    handler: async ({ body: { client_secret, ...session } }, reply) => {
      const config = updateSession(defaultSession, session);
      sessions.assertKnownLanguages(config);
      const { value, expiresAt } = secrets.create(config, client_secret?.expires_at?.seconds ?? SECRET_SECONDS);
      const view = olderSessionView(newId('sess'), config, expiresAt);
      return reply.send({ ...view, client_secret: { value, expires_at: expiresAt } });
    },
  });
}

/** Whether a request may open a session with a client secret. */
export function opensSession({ raw, routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === REALTIME_PATH && upgradeOf(raw) !== undefined;
}

function openSession(
  server: WebSocketServer,
  sessions: RealtimeSessions,
  secrets: ClientSecrets,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const upgrade = upgradeOf(request.raw);
  if (!upgrade) {
    // Browsers hide why a WebSocket was refused; a plain request gets the reason.
    sessions.admit().release();
    throw new HearsayError('invalid_request', 'Connect with a WebSocket.', { param: 'upgrade' });
  }
  const { 'sec-websocket-key': nonce = '', 'sec-websocket-version': protocol } = request.headers;
  // ws would respond without our error format.
  if (!/^[+/\w]{22}==$/.test(nonce) || !/^(8|13)$/.test(String(protocol))) {
    throw new HearsayError('invalid_request', 'The WebSocket handshake lacks a key, or its version is not 13.');
  }
  const key = keyOf(request);
  const config = key === undefined || !secrets.isSecret(key) ? defaultSession : secrets.find(key);
  // If the service has no API key, the secret has not been checked before.
  if (!config) throw new HearsayError('invalid_api_key', 'The client secret is invalid or has expired.');
  sessions.assertKnownLanguages(config);
  const place = sessions.admit();
  reply.raw.once('close', () => place.release());
  reply.hijack();
  server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
    reply.raw.statusCode = 101;
    place.open(socket, {
      config,
      isOlder: request.headers['openai-beta']?.includes('realtime') === true,
      toClientError: (error) => toHearsayError(error, request, request.log),
    });
  });
  return reply;
}
