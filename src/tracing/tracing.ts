import type { IncomingMessage } from 'node:http';
import { parseHttpUrl } from '../config/variables.ts';
import { HearsayError } from '../errors.ts';

/** What a span says. Never text, transcripts, prompts, names of files or keys. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** A part of a request; `end` it once. */
export interface OpenSpan {
  /**
   * @param outcome.error code or name of the error that ended it
   * @param outcome.atMs when it ended, by `performance.now()`; default: now
   */
  end(outcome?: { attributes?: Attributes; error?: string | undefined; atMs?: number }): void;
}

/** The span of a request, from its head to the end of its response. */
export interface RequestSpan extends OpenSpan {
  /** Starts a part of the request. @param atMs by `performance.now()`; default: now */
  start(name: string, atMs?: number): OpenSpan;
  /** Notes a moment. @param atMs by `performance.now()` */
  event(name: string, atMs: number): void;
}

/** Where spans go. */
export interface Tracer {
  /** Starts the span of a request; a valid header `traceparent` names its parent. */
  request(head: IncomingMessage, attributes: Attributes & { 'http.route': string }): RequestSpan;
  /** Sends what has ended. */
  close(): Promise<void>;
}

interface TracingLog {
  info(message: string): void;
  warn(message: string): void;
}

let tracer: Tracer | undefined;
const spans = new WeakMap<IncomingMessage, RequestSpan>();

/**
 * Why the usual variables of OpenTelemetry turn traces on; undefined if they do not. An endpoint must be set: nothing is sent
 * by default.
 * @throws HearsayError `invalid_request` if they ask for what is not supported, or the endpoint is no URL: OpenTelemetry
 * would send to localhost instead
 */
function tracesEndpoint(env: NodeJS.ProcessEnv): URL | undefined {
  const value = (name: string) => env[name]?.trim() || undefined;
  const variable = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find(value);
  const exporters = value('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (variable === undefined || exporters === 'none') return undefined;
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const protocol = value('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? value('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
  if (exporters !== 'otlp') throw unsupported(`OTEL_TRACES_EXPORTER=${exporters}`);
  // Receivers of OTLP over HTTP take JSON on the same port.
  if (!['http/json', 'http/protobuf'].includes(protocol)) throw unsupported(`the OTLP protocol ${protocol}`);
  const endpoint = parseHttpUrl(value(variable)!);
  if (!endpoint)
    throw new HearsayError('invalid_request', `${variable} must be an http or https URL: no traces are sent.`);
  return endpoint;
}

function unsupported(what: string): HearsayError {
  return new HearsayError('invalid_request', `${what} is not supported: no traces are sent. OTLP over HTTP is.`);
}

/**
 * Sends traces if the environment asks for it. Otherwise OpenTelemetry is not loaded.
 * @param service name of the service, unless OTEL_SERVICE_NAME has one
 * @returns a function that sends the finished spans and stops tracing
 */
export async function startTracing(service: string, log: TracingLog): Promise<() => Promise<void>> {
  try {
    const endpoint = tracesEndpoint(process.env);
    if (endpoint === undefined) return async () => {};
    const { createTracer } = await import('./otlp.ts');
    const started = createTracer(service, (message) => log.warn(message));
    tracer = started;
    log.info(`Sending traces to ${endpoint.host}`);
    return async () => {
      tracer = undefined;
      await started.close();
    };
  } catch (error) {
    log.warn(`Traces: ${(error as Error).message}`);
    return async () => {};
  }
}

/** Starts the span of a request, if traces are sent. */
export function traceRequest(
  head: IncomingMessage,
  attributes: Attributes & { 'http.route': string },
): RequestSpan | undefined {
  const span = tracer?.request(head, attributes);
  if (span) spans.set(head, span);
  return span;
}

/**
 * Does a part of a request within its own span, if its request has one.
 * @param work gets a function that adds attributes, and the span of the request
 */
export async function during<T>(
  head: IncomingMessage | undefined,
  name: string,
  work: (annotate: (attributes: Attributes) => void, request: RequestSpan | undefined) => Promise<T>,
): Promise<T> {
  const request = head && spans.get(head);
  const span = request?.start(name);
  const attributes: Attributes = {};
  const annotate = (more: Attributes) => void Object.assign(attributes, more);
  try {
    const result = await work(annotate, request);
    span?.end({ attributes });
    return result;
  } catch (error) {
    span?.end({ attributes, error: error instanceof HearsayError ? error.code : (error as Error).name });
    throw error;
  }
}
