/** Milliseconds for other tabs to answer if the page cannot use locks. */
const ANSWER_MS = 500;

const nameOf = (id: string) => `hearsay.job.${id}`;

/** Marks a job as one that this page works on, for other tabs. @returns a function that ends it */
export function lockJob(id: string): () => void {
  if (!navigator.locks) return answerFor(id);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  void navigator.locks.request(nameOf(id), () => ended);
  return end;
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
