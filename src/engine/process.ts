import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { HearsayError } from '../errors.ts';
import { InFlight } from '../scheduling/drain.ts';
import { EVENT_WINDOW, type FromEngine, fromWireError, type ToEngine, type WireError } from './protocol.ts';

export interface LaunchOptions {
  /** JavaScript file to fork; it must call `serveEngine`. */
  entry: URL | string;
  args?: string[];
  /** Passed to `engineEnvironment`. Default: this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Milliseconds without a message before the engine is killed, whether it loads, runs jobs or is idle. */
  timeoutMs: number;
  /** Kills the engine while it loads; has no effect once it is ready. */
  signal?: AbortSignal;
  /** Called when the engine has ended without being ready, to remove what it left behind. */
  afterFailure?: (pid: number) => Promise<void>;
  /**
   * Starts the engine in its own process group and kills the whole group when the engine ends, because its children
   * cannot exit by themselves while they are stopped. Default: false
   */
  leadsGroup?: boolean;
  /** Receives the engine's standard output and error, line by line. */
  onLog?: (line: string) => void;
}

/** The engine process died during a job or before it began. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
}

/** Events of one job that its consumer has not read yet. */
interface Inbox<Event> {
  events: Event[];
  /** Set when the job is over. */
  end?: { error?: unknown };
  /** The consumer has stopped reading: drop further events. */
  abandoned: boolean;
  wake: () => void;
}

/** A forked engine, as its parent sees it. */
export class EngineProcess<Job, Event, Info> {
  /** Resolves when the process has exited and its last message was read. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #leadsGroup: boolean;
  readonly #ready: Promise<void>;
  readonly #jobs = new Map<number, Inbox<Event>>();
  readonly #inFlight = new InFlight();
  #lastId = 0;
  #info: Info | undefined;
  #exitReason: string | undefined;
  /** Whether something other than this class killed it. */
  #wasKilled = false;
  #silentTicks = 0;

  /**
   * Forks an engine; resolves when its model is loaded and warm. If it rejects, the process has exited.
   * @throws HearsayError `model_load_failed` if the engine reports it, dies, or stops sending heartbeats, with an
   * EngineDied as cause if something killed it; the reason of `signal`
   */
  static async launch<Job, Event, Info>(options: LaunchOptions): Promise<EngineProcess<Job, Event, Info>> {
    const { signal } = options;
    signal?.throwIfAborted();
    const engine = new EngineProcess<Job, Event, Info>(options);
    const kill = () => engine.kill();
    signal?.addEventListener('abort', kill, { once: true });
    try {
      await engine.#ready;
      signal?.throwIfAborted();
      return engine;
    } catch (error) {
      engine.kill();
      await engine.exited;
      await options.afterFailure?.(engine.pid);
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  private constructor(options: LaunchOptions) {
    const { leadsGroup = false, timeoutMs } = options;
    this.#leadsGroup = leadsGroup;
    this.#child = start(options);
    this.exited = this.#whenExited();
    this.#ready = this.#whenReady();
    // `launch` reports it; an unhandled rejection would end the service.
    this.#ready.catch(() => {});
    const watchdog = this.#watch(timeoutMs);
    void this.exited.then(() => {
      clearInterval(watchdog);
      for (const id of this.#jobs.keys()) this.#finish(id, { error: this.#died() });
    });
  }

  /** What the engine says about its model. */
  get info(): Info {
    return this.#info as Info;
  }

  /** The process id; 0 if the process could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Number of jobs in flight; a cancelled one counts until the engine has stopped it. */
  get inFlight(): number {
    return this.#jobs.size;
  }

  /** Whether it accepts jobs. */
  get isAlive(): boolean {
    return this.#exitReason === undefined && this.#child.connected;
  }

  /** Why it exited, as words that follow "the engine": "was killed by SIGSEGV". Undefined while it runs. */
  get exitReason(): string | undefined {
    return this.#exitReason;
  }

  /**
   * Runs one job from the first `next()` on. Leaving the loop early or aborting `signal` cancels it in the engine.
   * @param window unread events after which the engine pauses the job
   * @throws EngineDied if the process exits; the reason of `signal`; HearsayError as thrown in the engine; Error with
   *   the engine's message and stack for any other error there
   */
  async *run(job: Job, signal?: AbortSignal, window = EVENT_WINDOW): AsyncGenerator<Event, void, undefined> {
    signal?.throwIfAborted();
    if (!this.isAlive) throw this.#died();
    const id = ++this.#lastId;
    const inbox: Inbox<Event> = { events: [], abandoned: false, wake: () => {} };
    const abort = () => inbox.wake();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // Throws if the job cannot be serialized.
      this.#send({ kind: 'run', id, job, window });
      // If the engine is exiting already, `exited` finishes this job.
      this.#jobs.set(id, inbox);
      this.#inFlight.enter();
      for (let unreported = 0; ; ) {
        signal?.throwIfAborted();
        if (inbox.events.length > 0) {
          unreported += 1;
          if (unreported >= window / 2) {
            this.#send({ kind: 'consumed', id, count: unreported });
            unreported = 0;
          }
          yield inbox.events.shift() as Event;
        } else if (inbox.end) {
          if ('error' in inbox.end) throw inbox.end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            inbox.wake = resolve;
          });
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      inbox.abandoned = true;
      inbox.events = [];
      if (this.#jobs.has(id)) this.#send({ kind: 'cancel', id });
    }
  }

  /** Resolves when no job is in flight, cancelled ones included. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  /** Waits for all jobs, new ones included, then ends the process; resolves when it has exited. */
  async drain(): Promise<void> {
    await this.#inFlight.idle();
    this.kill();
    await this.exited;
  }

  /** Sends SIGKILL, which also ends a stopped or hanging process. */
  kill(): void {
    this.#end('was killed');
  }

  #whenExited(): Promise<void> {
    const disconnected = new Promise<void>((resolve) => {
      this.#child.once('disconnect', () => {
        // An engine without IPC cannot serve.
        this.#child.kill('SIGKILL');
        resolve();
      });
    });
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#endGroup();
        this.#wasKilled = signal !== null && this.#exitReason === undefined;
        this.#exitReason ??= signal ? `was killed by ${signal}` : `exited with code ${code}`;
        // The last messages may arrive after `exit`, but never after `disconnect`.
        resolve(disconnected);
      });
      this.#child.on('error', (error: NodeJS.ErrnoException) => {
        // Without a pid it never started, and no `exit` follows.
        if (this.#child.pid !== undefined) return;
        this.#exitReason ??= `could not be started (${error.code})`;
        resolve();
      });
    });
  }

  /** Receives all messages; resolves when the engine says that it is ready. */
  #whenReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromEngine<Event, Info>) => {
        this.#silentTicks = 0;
        switch (message.kind) {
          case 'alive':
            return;
          case 'ready':
            this.#info = message.info;
            return resolve();
          case 'failed':
            return reject(loadError(message.error));
          default:
            this.#receive(message);
        }
      });
      void this.exited.then(() => {
        const message = `The engine ${this.#exitReason} while it loaded the model.`;
        reject(new HearsayError('model_load_failed', message, this.#wasKilled ? { cause: this.#died() } : {}));
      });
    });
  }

  #end(reason: string): void {
    this.#exitReason ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** Kills what is left of the engine's process group. While any process is left, no other group gets this id. */
  #endGroup(): void {
    if (!this.#leadsGroup) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // None is left.
    }
  }

  #died(): EngineDied {
    return new EngineDied(`The engine ${this.#exitReason ?? 'closed its channel'}.`);
  }

  #send(message: ToEngine<Job>): void {
    // If sending fails, the process is exiting, which `exited` reports.
    this.#child.send(message, () => {});
  }

  #receive(message: Extract<FromEngine<Event, Info>, { id: number }>): void {
    const inbox = this.#jobs.get(message.id);
    if (message.kind !== 'error' && inbox && !inbox.abandoned) inbox.events.push(...message.events);
    if (message.kind === 'events') inbox?.wake();
    else this.#finish(message.id, message.kind === 'error' ? { error: fromWireError(message.error) } : {});
  }

  #finish(id: number, end: { error?: unknown }): void {
    const inbox = this.#jobs.get(id);
    if (!inbox) return;
    this.#jobs.delete(id);
    inbox.end = end;
    inbox.wake();
    this.#inFlight.leave();
  }

  /**
   * Kills the engine after `timeoutMs` without a message. Counts ticks instead of reading the clock: after this
   * process was stopped or blocked, only one tick passes before the waiting messages are read.
   */
  #watch(timeoutMs: number): NodeJS.Timeout {
    const tickMs = Math.min(1000, timeoutMs / 4);
    return setInterval(() => {
      this.#silentTicks += 1;
      if (this.#silentTicks * tickMs >= timeoutMs) this.#end(`gave no sign of life for ${timeoutMs / 1000} s`);
    }, tickMs).unref();
  }
}

/** Forks an engine, and reads its output. */
function start({ entry, args = [], env, leadsGroup = false, onLog }: LaunchOptions): ChildProcess {
  const child = fork(entry, args, {
    detached: leadsGroup,
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: engineEnvironment(env),
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && onLog) createInterface({ input: stream }).on('line', onLog);
    // The engine's writes block once an unread pipe is full.
    else stream?.resume();
  }
  return child;
}

function loadError(error: WireError): HearsayError {
  const message = error.code === undefined ? 'The model could not be loaded.' : error.message;
  return new HearsayError('model_load_failed', message, { cause: fromWireError(error) });
}

/** The environment of an engine: without the secrets of the service, and with glibc tunables unless already set. */
export function engineEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { API_KEY, HF_TOKEN, CALLBACK_SECRET, JOBS_URL, GLIBC_TUNABLES, ...env } = from;
  return {
    // With glibc's default threshold, heap fragmentation doubles the memory of int8 sessions.
    MALLOC_TRIM_THRESHOLD_: '131072',
    GLIBC_TUNABLES: withHugePages(GLIBC_TUNABLES),
    ...env,
  };
}

/** Asks for 2 MB pages, which need fewer TLB entries; most kernels leave that to the program (`madvise`). */
function withHugePages(tunables: string | undefined): string {
  if (!tunables) return 'glibc.malloc.hugetlb=1';
  return tunables.includes('glibc.malloc.hugetlb=') ? tunables : `${tunables}:glibc.malloc.hugetlb=1`;
}
