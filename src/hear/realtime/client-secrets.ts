import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { HearsayError } from '../../errors.ts';
import { defaultSession, type SessionConfig } from './session-config.ts';

const PREFIX = 'ek_';
/** Proxies refuse longer headers: nginx takes 8 KiB. */
const MAX_CHARACTERS = 7500;
const PURPOSE = 'hearsay realtime client secrets';
const KEY_BYTES = 32;
const NONCE_BYTES = 9;

export interface ClientSecret {
  value: string;
  /** Seconds since the epoch. */
  expiresAt: number;
}

interface Payload {
  config: SessionConfig;
  /** Seconds since the epoch. */
  expiresAt: number;
  nonce: string;
}

/**
 * Short-lived keys for clients that must not have the API key, each bound to a session's configuration. A secret
 * contains its configuration and its expiry, signed: it works on every replica with the same API key, also after a
 * restart.
 */
export class ClientSecrets {
  readonly #key: Uint8Array;

  /** @param key signs the secrets */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /**
   * Secrets signed by a key derived from the API key. The derivation is slow (scrypt, RFC 7914), so that a weak API key
   * cannot be brute-forced from a secret. Without an API key, everyone may open sessions anyway.
   */
  static async signedBy(apiKey = ''): Promise<ClientSecrets> {
    const derive = promisify<string, string, number, Buffer>(scrypt);
    return new ClientSecrets(await derive(apiKey, PURPOSE, KEY_BYTES));
  }

  /**
   * @param seconds for which it can open sessions
   * @throws HearsayError `invalid_request` if the configuration is too large for a header
   */
  create(config: SessionConfig, seconds: number): ClientSecret {
    const expiresAt = epochSeconds() + seconds;
    const payload: Payload = { config, expiresAt, nonce: randomBytes(NONCE_BYTES).toString('base64url') };
    const text = deflateRawSync(JSON.stringify(payload)).toString('base64url');
    const value = `${PREFIX}${text}.${this.#sign(text).toString('base64url')}`;
    if (value.length > MAX_CHARACTERS) {
      const message = `The session does not fit into a secret of ${MAX_CHARACTERS} characters: shorten its keywords or its prompt, or let the client send them in session.update.`;
      throw new HearsayError('invalid_request', message, { param: 'session' });
    }
    return { value, expiresAt };
  }

  /** Whether a key looks like a client secret. */
  isSecret(key: string): boolean {
    return key.startsWith(PREFIX);
  }

  /** The configuration that a secret is bound to; undefined if it is not one of ours or has expired. */
  find(value: string): SessionConfig | undefined {
    const [, text, signature] = /^ek_([\w-]+)\.([\w-]+)$/.exec(value) ?? [];
    if (text === undefined || signature === undefined) return undefined;
    const expected = this.#sign(text);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const { config, expiresAt }: Payload = JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString());
    // Another version may have made it.
    return expiresAt > epochSeconds() ? { ...defaultSession, ...config } : undefined;
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}

export const epochSeconds = () => Math.floor(Date.now() / 1000);
