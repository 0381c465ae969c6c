import {
  type Span as ApiSpan,
  type AttributeValue,
  DiagLogLevel,
  defaultTextMapGetter,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { version } from '../config/version.ts';
import type { Attributes, OpenSpan, RequestSpan, Tracer } from './tracing.ts';

/** A receiver that is down is reported this often. */
const WARN_INTERVAL_MS = 60_000;
/** Milliseconds to send the last spans when the process ends. */
const CLOSE_TIMEOUT_MS = 2000;

/**
 * Sends spans by OTLP over HTTP, as JSON. The libraries read the usual variables: endpoint, headers, timeout, compression,
 * sampler, limits, resource attributes.
 * @param service name of the service, unless OTEL_SERVICE_NAME has one
 * @param warn called with what fails, at most once a minute
 */
export function createTracer(service: string, warn: (message: string) => void): Tracer {
  let lastWarning = Number.NEGATIVE_INFINITY;
  const warnSeldom = (message: string) => {
    if (performance.now() - lastWarning < WARN_INTERVAL_MS) return;
    lastWarning = performance.now();
    warn(`Traces: ${message.slice(0, 500)}`);
  };
  const ignore = () => {};
  const logger = { error: warnSeldom, warn: warnSeldom, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('hearsay', version);
  const propagator = new W3CTraceContextPropagator();

  return {
    request(head, attributes) {
      const parent = propagator.extract(ROOT_CONTEXT, head.headers, defaultTextMapGetter);
      const name = `${head.method} ${attributes['http.route']}`;
      // One clock for all spans of a request: each would take its own difference to the wall clock, in whole milliseconds.
      const origin = Date.now() - performance.now();
      const toEpoch: ToEpoch = (atMs = performance.now()) => origin + atMs;
      const options = { kind: SpanKind.SERVER, attributes: defined(attributes), startTime: toEpoch() };
      const span = tracer.startSpan(name, options, parent);
      const context = trace.setSpan(parent, span);
      const startPart = (part: string, startTime: number) => tracer.startSpan(part, { startTime }, context);
      return requestSpan(span, toEpoch, startPart);
    },
    async close() {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    },
  };
}

/** Milliseconds since the epoch. @param atMs by `performance.now()`; default: now */
type ToEpoch = (atMs?: number) => number;

function requestSpan(
  span: ApiSpan,
  toEpoch: ToEpoch,
  startPart: (name: string, startTime: number) => ApiSpan,
): RequestSpan {
  return {
    ...openSpan(span, toEpoch),
    start: (name, atMs) => openSpan(startPart(name, toEpoch(atMs)), toEpoch),
    event: (name, atMs) => void span.addEvent(name, toEpoch(atMs)),
  };
}

function openSpan(span: ApiSpan, toEpoch: ToEpoch): OpenSpan {
  return {
    end({ attributes = {}, error, atMs } = {}) {
      span.setAttributes(defined(attributes));
      if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end(toEpoch(atMs));
    },
  };
}

function defined(attributes: Attributes): Record<string, AttributeValue> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, AttributeValue>;
}
