import { createHash, randomBytes } from 'node:crypto';
import type { SessionConfig } from './session-config.ts';

/** Secrets kept at most; the oldest go first. */
const MAX_SECRETS = 10_000;
const PREFIX = 'ek_';

export interface ClientSecret {
  value: string;
  /** Seconds since the epoch. */
  expiresAt: number;
}

/** Short-lived keys for clients that must not have the API key, each bound to a session's configuration. */
export class ClientSecrets {
  /** By hash, so that a lookup tells nothing of the secrets. */
  readonly #secrets = new Map<string, { config: SessionConfig; expiresAt: number }>();

  /** @param seconds that it can open sessions */
  create(config: SessionConfig, seconds: number): ClientSecret {
    const now = epochSeconds();
    if (this.#secrets.size >= MAX_SECRETS) this.#makeRoom(now);
    const value = PREFIX + randomBytes(24).toString('hex');
    const expiresAt = now + seconds;
    this.#secrets.set(hashOf(value), { config, expiresAt });
    return { value, expiresAt };
  }

  #makeRoom(now: number): void {
    for (const [hash, { expiresAt }] of this.#secrets) if (expiresAt <= now) this.#secrets.delete(hash);
    const [oldest] = this.#secrets.keys();
    if (this.#secrets.size >= MAX_SECRETS) this.#secrets.delete(oldest!);
  }

  /** Whether a key looks like a client secret. */
  isSecret(key: string): boolean {
    return key.startsWith(PREFIX);
  }

  /** The configuration that a secret is bound to; undefined if it is unknown or has expired. */
  find(value: string): SessionConfig | undefined {
    const found = this.#secrets.get(hashOf(value));
    return found && found.expiresAt > epochSeconds() ? found.config : undefined;
  }
}

export const epochSeconds = () => Math.floor(Date.now() / 1000);

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');
