/** Frames a second. */
const RATE = 100;

/**
 * Diarization error of one recording: seconds of speech that the reference has, and of those that are missed, falsely
 * claimed, or given to another speaker, under the assignment of found speakers to true ones that leaves the least. Nobody
 * speaks at the same time as another.
 * @param truth turns `{ start, end, speaker }` in seconds
 * @param found the same, of any names of speakers
 * @param collar seconds on each side of a true boundary that do not count
 */
export function diarizationErrors(truth, found, collar) {
  const seconds = Math.max(...[...truth, ...found].map(({ end }) => end), 0);
  const counted = new Uint8Array(Math.ceil(seconds * RATE) + 1).fill(1);
  if (collar > 0) {
    for (const boundary of truth.flatMap(({ start, end }) => [start, end])) {
      counted.fill(0, Math.max(0, Math.round((boundary - collar) * RATE)), Math.round((boundary + collar) * RATE));
    }
  }
  const [trueNames, trueFrames] = frames(truth, counted.length);
  const [foundNames, foundFrames] = frames(found, counted.length);
  const together = trueNames.map(() => new Array(foundNames.length).fill(0));
  const errors = { speech: 0, missed: 0, falseAlarm: 0, confusion: 0 };
  let both = 0;
  for (let frame = 0; frame < counted.length; frame++) {
    if (!counted[frame]) continue;
    const actual = trueFrames[frame];
    const claimed = foundFrames[frame];
    if (actual >= 0) errors.speech++;
    if (actual >= 0 && claimed >= 0) {
      both++;
      together[actual][claimed]++;
    } else if (actual >= 0) errors.missed++;
    else if (claimed >= 0) errors.falseAlarm++;
  }
  errors.confusion = both - bestAssignment(together);
  for (const name of Object.keys(errors)) errors[name] /= RATE;
  return errors;
}

/** Sums of several recordings. */
export function total(all) {
  const sum = { speech: 0, missed: 0, falseAlarm: 0, confusion: 0 };
  for (const errors of all) for (const name of Object.keys(sum)) sum[name] += errors[name];
  return sum;
}

export const errorRate = ({ speech, missed, falseAlarm, confusion }) => (missed + falseAlarm + confusion) / speech;

function frames(turns, length) {
  const names = [...new Set(turns.map(({ speaker }) => speaker))];
  const labels = new Int16Array(length).fill(-1);
  for (const { start, end, speaker } of turns) {
    labels.fill(names.indexOf(speaker), Math.round(start * RATE), Math.round(end * RATE));
  }
  return [names, labels];
}

/** The most that pairs of rows and columns, each in one pair at most, add up to: dynamic programming over sets of rows. */
function bestAssignment(table) {
  let best = new Float64Array(1 << table.length);
  for (let column = 0; column < (table[0]?.length ?? 0); column++) {
    const next = best.slice();
    for (let set = 0; set < best.length; set++) {
      for (let row = 0; row < table.length; row++) {
        if (set & (1 << row)) continue;
        const joined = set | (1 << row);
        next[joined] = Math.max(next[joined], best[set] + table[row][column]);
      }
    }
    best = next;
  }
  return best.length === 0 ? 0 : best.reduce((a, b) => Math.max(a, b));
}
