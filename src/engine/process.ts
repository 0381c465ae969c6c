import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { HearsayError } from '../errors.ts';
import { engineEnvironment } from './environment.ts';
import { EVENT_WINDOW, type FromEngine, type ToEngine } from './protocol.ts';
import { fromWireError, type WireError } from './wire-error.ts';

export interface LaunchOptions {
  /** JavaScript file to fork, one that calls `serveEngine`. */
  entry: URL | string;
  args?: string[];
  /** What `engineEnvironment` is made from. Default: this process's own */
  env?: NodeJS.ProcessEnv;
  /** Without a sign of life for so many milliseconds, while loading or while work is in it, the engine is killed. */
  timeoutMs: number;
  /** Kills the engine while it loads; without effect once it is ready. */
  signal?: AbortSignal;
  /** Takes the engine's standard output and error, line by line. */
  onLog?: (line: string) => void;
}

/** The engine process went while the job was inside, or before it could get in. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
}

/** What has come back of one job and is not yet taken. */
interface Inbox<Event> {
  events: Event[];
  /** The job is over; with an error where it ended badly. */
  end?: { error?: unknown };
  /** The consumer has left: what still comes is dropped. */
  abandoned: boolean;
  wake: () => void;
}

/** The parent's handle on one forked engine. */
export class EngineProcess<Job, Event, Info> {
  /** Resolves when the process has ended and everything it sent has been read. */
  readonly exited: Promise<void>;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #inside = new Map<number, Inbox<Event>>();
  #whenIdle: (() => void)[] = [];
  #lastId = 0;
  #info: Info | undefined;
  #loading = true;
  #death: string | undefined;
  #silentTicks = 0;

  /**
   * Forks an engine; resolves when its model is loaded and warm.
   * @throws HearsayError `model_load_failed` when the engine says so, dies, or gives no sign of life; the reason of
   *   `signal` when that aborts. In every case the process has ended by then.
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
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  }

  private constructor({ entry, args = [], env, timeoutMs, onLog }: LaunchOptions) {
    this.#child = fork(entry, args, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: engineEnvironment(env),
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream && onLog) createInterface({ input: stream }).on('line', onLog);
      // An unread pipe fills, and then the engine's writes block it.
      else stream?.resume();
    }

    const disconnected = new Promise<void>((resolve) => {
      this.#child.once('disconnect', () => {
        // Without its channel it is of no use, whatever it is doing.
        this.#child.kill('SIGKILL');
        resolve();
      });
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#death ??= signal ? `ended by ${signal}` : `ended with exit code ${code}`;
        // The last messages may arrive after `exit`, but never after `disconnect`.
        resolve(disconnected);
      });
      this.#child.on('error', (error: NodeJS.ErrnoException) => {
        // Without a pid it was never started, and no `exit` will follow.
        if (this.#child.pid !== undefined) return;
        this.#death ??= `could not be started (${error.code})`;
        resolve();
      });
    });

    this.#ready = new Promise((resolve, reject) => {
      this.#child.on('message', (message: FromEngine<Event, Info>) => {
        this.#silentTicks = 0;
        if (message.kind === 'ready') {
          this.#info = message.info;
          this.#loading = false;
          resolve();
        } else if (message.kind === 'failed') {
          reject(loadError(message.error));
        } else if (message.kind !== 'alive') {
          this.#receive(message);
        }
      });
      void this.exited.then(() =>
        reject(new HearsayError('model_load_failed', `The engine ${this.#death} while it loaded the model.`)),
      );
    });
    // `launch` reports it; this keeps an engine that dies between two steps from ending the service.
    this.#ready.catch(() => {});

    const watchdog = this.#watch(timeoutMs);
    void this.exited.then(() => {
      clearInterval(watchdog);
      for (const id of this.#inside.keys()) this.#finish(id, { error: this.#died() });
    });
  }

  /** What the engine says of the model it has loaded. */
  get info(): Info {
    return this.#info as Info;
  }

  /** The process id; 0 where the process could not be started at all. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Jobs inside, cancelled ones included until the engine has let go of them. */
  get busy(): number {
    return this.#inside.size;
  }

  /** Whether jobs may still be sent to it. */
  get alive(): boolean {
    return this.#death === undefined && this.#child.connected;
  }

  /** How it ended, to follow the words 'the engine': "ended by SIGSEGV". Undefined while it runs. */
  get death(): string | undefined {
    return this.#death;
  }

  /**
   * Runs one job, from the first `next()` on. Leaving the loop early, or aborting `signal`, cancels it in the engine.
   * @throws EngineDied when the process goes; the reason of `signal`; HearsayError as thrown in the engine; Error with
   *   the engine's message and stack for anything unexpected there.
   */
  async *run(job: Job, signal?: AbortSignal): AsyncGenerator<Event, void, undefined> {
    signal?.throwIfAborted();
    if (!this.alive) throw this.#died();
    const id = ++this.#lastId;
    const inbox: Inbox<Event> = { events: [], abandoned: false, wake: () => {} };
    const abort = () => inbox.wake();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // A job that cannot be serialized throws here and never was inside.
      this.#send({ kind: 'run', id, job });
      // A dead engine in its death throes is still to be found out: `exited` then finishes this job.
      this.#inside.set(id, inbox);
      for (let untold = 0; ; ) {
        signal?.throwIfAborted();
        if (inbox.events.length > 0) {
          untold += 1;
          if (untold >= EVENT_WINDOW / 2) {
            this.#send({ kind: 'taken', id, count: untold });
            untold = 0;
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
      if (this.#inside.has(id)) this.#send({ kind: 'cancel', id });
    }
  }

  /** Waits until no job is inside, then ends the process; resolves when it has ended. Jobs may still enter meanwhile. */
  async drain(): Promise<void> {
    while (this.#inside.size > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle.push(resolve);
      });
    }
    this.kill();
    await this.exited;
  }

  /** Ends the process by SIGKILL, which also reaches a stopped or hanging one. */
  kill(): void {
    this.#end('was ended');
  }

  #end(death: string): void {
    this.#death ??= death;
    this.#child.kill('SIGKILL');
  }

  #died(): EngineDied {
    return new EngineDied(`The engine ${this.#death ?? 'closed its channel'}.`);
  }

  #send(message: ToEngine<Job>): void {
    // A failure to write means that the process is going, which `exited` reports.
    this.#child.send(message, () => {});
  }

  #receive(message: Extract<FromEngine<Event, Info>, { id: number }>): void {
    const inbox = this.#inside.get(message.id);
    if (message.kind !== 'error' && inbox && !inbox.abandoned) inbox.events.push(...message.events);
    if (message.kind === 'events') inbox?.wake();
    else this.#finish(message.id, message.kind === 'error' ? { error: fromWireError(message.error) } : {});
  }

  #finish(id: number, end: { error?: unknown }): void {
    const inbox = this.#inside.get(id);
    if (!inbox) return;
    this.#inside.delete(id);
    inbox.end = end;
    inbox.wake();
    if (this.#inside.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /**
   * Counts its own ticks instead of looking at the clock: after this process itself was stopped or blocked, one tick
   * passes and then the engine's waiting messages are read.
   */
  #watch(timeoutMs: number): NodeJS.Timeout {
    const tickMs = Math.min(1000, timeoutMs / 4);
    return setInterval(() => {
      if (!this.#loading && this.#inside.size === 0) {
        this.#silentTicks = 0;
        return;
      }
      this.#silentTicks += 1;
      if (this.#silentTicks * tickMs >= timeoutMs) this.#end(`gave no sign of life for ${timeoutMs / 1000} s`);
    }, tickMs).unref();
  }
}

function loadError(error: WireError): HearsayError {
  const message = error.code === undefined ? 'The model could not be loaded.' : error.message;
  return new HearsayError('model_load_failed', message, { cause: fromWireError(error) });
}
