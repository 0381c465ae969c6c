import { resolve } from 'node:path';
import { MediaFile } from './media-source.ts';
import { AudioTrack } from './track.ts';

/**
 * The length that a recording states, or that its bit rate suggests, in seconds; undefined if unknown. Like `decodeAudio`, it
 * runs native code on a file that may be hostile: run it in a separate process.
 * @throws HearsayError `invalid_audio`; the error of the file system
 */
export async function estimatedDuration(path: string): Promise<number | undefined> {
  const file = new MediaFile(resolve(path));
  const track = new AudioTrack();
  try {
    await track.open(file.source());
    return track.estimatedSeconds;
  } finally {
    await track.close();
    file.close();
  }
}
