import { Counter, Gauge, Histogram } from 'prom-client';
import type { IncomingBodies } from '../http/incoming-bodies.ts';
import type { Metrics } from '../http/metrics.ts';
import type { HearContext, TranscribedRecording } from './context.ts';
import { jobMetrics } from './jobs/metrics.ts';
import type { TurnsOptions } from './realtime/turns.ts';

export interface HearMetrics {
  /** Counts a recording. */
  onTranscribed: (recording: TranscribedRecording) => void;
  /** Seconds of audio transcribed since the start. */
  audioSeconds: () => Promise<number>;
  /** Counts a live turn. */
  onAnswered: TurnsOptions['onAnswered'];
  /** Adds gauges of the live sessions and their maximum. */
  showSessions: (sessions: { readonly count: number }, max: number) => void;
}

/** The metrics of `hear` in addition to those of both services. */
export function hearMetrics(
  { registry, inferred }: Metrics,
  {
    uploads,
    jobs,
    speakers,
  }: { uploads: Pick<IncomingBodies, 'count' | 'bytes'> } & Pick<HearContext, 'jobs' | 'speakers'>,
): HearMetrics {
  const audioSeconds = new Counter({
    name: 'hearsay_audio_seconds_total',
    help: 'Seconds of audio transcribed.',
    registers: [registry],
  });
  const missedSeconds = new Counter({
    name: 'hearsay_missed_speech_seconds_total',
    help: 'Seconds of detected speech that gave no text.',
    registers: [registry],
  });
  const foreignRecordings = new Counter({
    name: 'hearsay_foreign_recordings_total',
    help: 'Recordings that do not sound like the only language of the model.',
    registers: [registry],
  });
  const decoderSteps = new Counter({
    name: 'hearsay_decoder_steps_total',
    help: 'Decoder steps of windows, with Whisper; divided by the runs, it is the mean batch size.',
    registers: [registry],
  });
  const decoderRuns = new Counter({
    name: 'hearsay_decoder_runs_total',
    help: 'Runs of the decoder, with Whisper; each computes a step of one or several windows.',
    registers: [registry],
  });
  new Gauge({
    name: 'hearsay_uploads',
    help: 'Uploads being received.',
    registers: [registry],
    collect() {
      this.set(uploads.count);
    },
  });
  new Gauge({
    name: 'hearsay_upload_disk_bytes',
    help: 'Bytes of uploads on disk.',
    registers: [registry],
    collect() {
      this.set(uploads.bytes);
    },
  });
  new Gauge({
    name: 'hearsay_speaker_model',
    help: 'Whether there is a model that tells speakers apart: 1 or 0.',
    registers: [registry],
    async collect() {
      this.set((await speakers.name()) === undefined ? 0 : 1);
    },
  });
  const realtimeLag = new Histogram({
    name: 'hearsay_realtime_lag_seconds',
    help: 'Time from the end of a turn to its whole text.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5],
    registers: [registry],
  });
  jobMetrics(registry, jobs);
  return {
    async audioSeconds() {
      const { values } = await audioSeconds.get();
      return values[0]?.value ?? 0;
    },
    onTranscribed({ duration, inference, batching, missed, isForeign }) {
      inferred(inference, duration);
      audioSeconds.inc(duration);
      missedSeconds.inc(missed);
      foreignRecordings.inc(isForeign ? 1 : 0);
      decoderSteps.inc(batching?.steps ?? 0);
      decoderRuns.inc(batching?.runs ?? 0);
    },
    onAnswered({ seconds, missed, lagSeconds }) {
      audioSeconds.inc(seconds);
      missedSeconds.inc(missed);
      realtimeLag.observe(lagSeconds);
    },
    showSessions(sessions, max) {
      new Gauge({
        name: 'hearsay_realtime_sessions',
        help: 'Live transcriptions.',
        registers: [registry],
        collect() {
          this.set(sessions.count);
        },
      });
      new Gauge({
        name: 'hearsay_realtime_sessions_max',
        help: 'Maximum number of live transcriptions.',
        registers: [registry],
      }).set(max);
    },
  };
}
