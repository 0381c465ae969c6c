import { ApiError, jsonBody, request, requestJson } from '../shared/api.ts';
import { storedKey } from '../shared/key.ts';

const PATH = '/v1/realtime';

/**
 * Opens a WebSocket for a transcription session, and asks for a key if the service wants one.
 * @throws ApiError why the service refused
 */
export async function openRealtime(): Promise<WebSocket> {
  for (;;) {
    const key = storedKey();
    const protocols = ['realtime'];
    if (key !== '') {
      // Browsers can send a key only as a protocol, whose letters are limited.
      const { value } = await requestJson<{ value: string }>(`${PATH}/client_secrets`, jsonBody({}));
      protocols.push(`openai-insecure-api-key.${value}`);
    }
    const socket = await opened(protocols);
    if (socket) return socket;
    await throwReason();
    if (key === storedKey()) {
      const message =
        'The service responds, but WebSockets do not reach it. A proxy in front of it may not forward them.';
      throw new ApiError(0, message, 'no_websocket');
    }
  }
}

function opened(protocols: string[]): Promise<WebSocket | undefined> {
  const url = new URL(`${PATH}?intent=transcription`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url, protocols);
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => resolve(undefined), { once: true });
  });
}

/** Browsers hide the answer to a failed handshake; a plain request gets the same one. Returns if it gets no refusal. */
async function throwReason(): Promise<void> {
  try {
    await request(PATH);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
  }
}
