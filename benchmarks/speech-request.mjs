export const SAMPLE_RATE = 24_000;
export const PCM_BYTES_A_SECOND = 2 * SAMPLE_RATE;

/**
 * Requests streamed pcm: milliseconds to the first audio and to the end, and seconds of speech.
 * @param base of the service
 * @param options.bytes hangs up after these
 * @param options.onFirst called with the first audio
 */
export async function requestSpeech(
  base,
  { input, voice = 'af_heart', speed },
  { bytes = Number.POSITIVE_INFINITY, onFirst = () => {} } = {},
) {
  const started = performance.now();
  const response = await fetch(`${base}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input, voice, speed, response_format: 'pcm' }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  let first;
  let received = 0;
  for await (const chunk of response.body) {
    first ??= performance.now() - started;
    if (received === 0) onFirst();
    received += chunk.length;
    if (received >= bytes) break;
  }
  return { first, whole: performance.now() - started, seconds: received / PCM_BYTES_A_SECOND };
}
