// The image's health check: exits with 0 if each service of this container that listens is healthy, and one does.
import http from 'node:http';
import https from 'node:https';

const { HOST = '', PORT, HEAR_PORT, SAY_PORT, TLS_CERT } = process.env;
// An empty value counts as unset.
const ports = [HEAR_PORT || PORT || '8000', SAY_PORT || PORT || '8880'];
// Linux takes 0.0.0.0 and :: for this machine.
const host = HOST.trim().replace(/^\[(.*)\]$/, '$1') || '0.0.0.0';
const MAX_MS = 8000;

/** Whether a service is healthy; undefined if none listens there. */
function isHealthy(port) {
  return new Promise((resolve) => {
    // ALLOWED_HOSTS need not have the name in HOST, and the certificate is for the name that clients use.
    const headers = { host: 'localhost' };
    const options = { host, port, path: '/health', headers, timeout: MAX_MS, rejectUnauthorized: false };
    const request = (TLS_CERT ? https : http).get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? undefined : false));
  });
}

const states = await Promise.all([...new Set(ports)].map(isHealthy));
process.exit(states.includes(true) && !states.includes(false) ? 0 : 1);
