import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import { ConfigError } from '../config/variables.ts';
import { watchFiles } from '../files/watch-files.ts';

/** A certificate with its chain and its key, in PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Paths of TLS_CERT and TLS_KEY. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/**
 * Reads a certificate and its key.
 * @throws ConfigError naming the variable if a file cannot be read, or if the key does not belong to the certificate
 */
export async function readCertificate(files: CertificateFiles): Promise<Certificate> {
  const read = (name: string, path: string) =>
    readFile(path).catch((error: Error) => {
      throw new ConfigError(`${name} must be a readable file, not ${JSON.stringify(path)}: ${error.message}`);
    });
  const [cert, key] = await Promise.all([read('TLS_CERT', files.cert), read('TLS_KEY', files.key)]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(`TLS_CERT and TLS_KEY must be a certificate in PEM and its key: ${(error as Error).message}`);
  }
  return { cert, key };
}

/**
 * Reloads the certificate of a server when its files change; open connections keep theirs. If the files are unusable,
 * logs why and keeps the last certificate.
 * @returns a function that stops watching
 */
export function watchCertificate(
  server: Pick<Server, 'setSecureContext'>,
  files: CertificateFiles,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): () => void {
  return watchFiles([files.cert, files.key], async () => {
    try {
      server.setSecureContext(await readCertificate(files));
      log.info('Reloaded the certificate');
    } catch (error) {
      log.warn(`Kept the previous certificate: ${(error as Error).message}`);
    }
  });
}
