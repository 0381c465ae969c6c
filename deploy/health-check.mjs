// The image's health check: exits with 0 if each service of this container that listens is healthy, and one does.
const { PORT, HEAR_PORT = PORT || '8000', SAY_PORT = PORT || '8880' } = process.env;
const MAX_MS = 8000;

/** Whether a service is healthy; undefined if none listens there. */
async function isHealthy(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(MAX_MS) });
    return response.ok;
  } catch (error) {
    return error.cause?.code === 'ECONNREFUSED' ? undefined : false;
  }
}

const states = await Promise.all([...new Set([HEAR_PORT, SAY_PORT])].map(isHealthy));
process.exit(states.includes(true) && !states.includes(false) ? 0 : 1);
