/** Milliseconds for other tabs to answer if the page cannot use locks. */
const ANSWER_MS = 500;

const nameOf = (id: string) => `hearsay.job.${id}`;

export interface JobLock {
  /** Resolves when other tabs can see it. */
  held: Promise<void>;
  end: () => void;
}

/** Marks a job as one that this page works on, for other tabs. */
export function lockJob(id: string): JobLock {
  if (!navigator.locks) return { held: Promise.resolve(), end: answerFor(id) };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = new Promise<void>((resolve) => {
    void navigator.locks.request(nameOf(id), () => {
      resolve();
      return ended;
    });
  });
  return { held, end };
}

/**
 * Whether another tab works on a job.
 * @param onEnd called when that tab does so no more
 */
export async function isLockedElsewhere(id: string, onEnd: () => void): Promise<boolean> {
  if (!navigator.locks) return isAnswered(id, onEnd);
  const { held = [] } = await navigator.locks.query();
  if (!held.some(({ name }) => name === nameOf(id))) return false;
  void navigator.locks.request(nameOf(id), { mode: 'shared' }, () => {}).then(onEnd);
  return true;
}

/** Locks need a secure context; on other pages, tabs ask each other. */
function answerFor(id: string): () => void {
  const channel = new BroadcastChannel(nameOf(id));
  channel.onmessage = ({ data }) => {
    if (data === 'asked') channel.postMessage('locked');
  };
  const end = () => {
    removeEventListener('pagehide', end);
    channel.postMessage('ended');
    channel.close();
  };
  addEventListener('pagehide', end);
  return end;
}

function isAnswered(id: string, onEnd: () => void): Promise<boolean> {
  const channel = new BroadcastChannel(nameOf(id));
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      channel.close();
      resolve(false);
    }, ANSWER_MS);
    channel.onmessage = ({ data }) => {
      if (data === 'locked') {
        clearTimeout(timer);
        resolve(true);
      } else if (data === 'ended') {
        channel.close();
        onEnd();
      }
    };
    channel.postMessage('asked');
  });
}
