import type { FastifyBaseLogger } from 'fastify';
import { version } from '../config/version.ts';

/** What the log shows when a service becomes ready. */
export interface ServiceSummary {
  /** What the service does. */
  title: string;
  /** Names and values. */
  rows: [string, string][];
}

export interface AccessFacts {
  /** Address of the service. */
  endpoint: string;
  keyRequired: boolean;
  /** Whether only this machine can reach it. */
  isLocal: boolean;
  /** Whether /web is served. */
  webPage: boolean;
}

/** Set by the process that runs both services, which shows one summary for both. */
const TOGETHER = 'HEARSAY_SUMMARY_TO_PARENT';

/** Variables for a service whose summary is to be sent over its IPC channel. */
export const summaryToParent = { [TOGETHER]: '1' };

/** Whether `npm start` runs this service, next to the other one. */
export const isStartedTogether = () => process.env[TOGETHER] !== undefined;

/** The rows about how a service is reached. */
export function accessRows({ endpoint, keyRequired, isLocal, webPage }: AccessFacts): [string, string][] {
  // Some browsers cannot open 0.0.0.0.
  const local = endpoint.replace('://0.0.0.0', '://localhost').replace('://[::]', '://localhost');
  return [
    ['Endpoint', endpoint],
    ['Web console', webPage ? `${local}/web` : 'off'],
    ['API key', keyRequired ? 'required' : isLocal ? 'none' : 'none, open to everyone on the network'],
  ];
}

/** A box with the version and the summaries of one service or of both. */
export function startUpSummary(services: readonly ServiceSummary[]): string {
  const label = Math.max(...services.flatMap(({ rows }) => rows.map(([name]) => name.length)));
  const sections = services.map(({ title, rows }) => [
    `Hearsay ${version}: ${title}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(label)}  ${value}`),
  ]);
  const width = Math.max(...sections.flat().map((line) => line.length));
  const rule = '─'.repeat(width + 2);
  const boxed = sections.map((lines) => lines.map((line) => `│ ${line.padEnd(width)} │`).join('\n'));
  return [`┌${rule}┐`, boxed.join(`\n├${rule}┤\n`), `└${rule}┘`].join('\n');
}

/** Logs the summary of this service, or sends it to the process that runs both. */
export function showSummary(summary: ServiceSummary, log: FastifyBaseLogger, format: 'pretty' | 'json'): void {
  if (!isStartedTogether() || process.send === undefined || format === 'json') {
    log.info(`\n${startUpSummary([summary])}`);
  } else if (log.level === 'info' || log.level === 'debug' || log.level === 'trace') {
    // If sending fails, the parent process is ending.
    process.send(summary, () => {});
  }
}
