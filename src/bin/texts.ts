import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { UsageError } from './exit-codes.ts';

/** A text to speak. */
export interface Text {
  /** Of its file, without its extension. */
  stem: string;
  text: string;
}

/** A single word that ends like this was meant to name a file. */
const fileName = /^\S+\.(?:txt|md|markdown|text|html?)$/i;

/**
 * The texts that arguments name: files, `-`, or words, which are one text together.
 * @throws UsageError if files and words are mixed, or a file is not there; the error of the file system
 */
export async function readTexts(args: readonly string[]): Promise<Text[]> {
  const areFiles = await Promise.all(args.map(isFile));
  if (areFiles.every((is) => is)) return Promise.all(args.map(readText));
  const file = args.find((_, index) => areFiles[index]);
  if (file !== undefined) throw new UsageError(`${file} is a file and ${args[areFiles.indexOf(false)]} is not`);
  if (args.length === 1 && fileName.test(args[0]!)) throw new UsageError(`There is no file ${args[0]}`);
  return [{ stem: 'speech', text: args.join(' ') }];
}

async function isFile(name: string): Promise<boolean> {
  if (name === '-') return true;
  // A long text is no possible name.
  return stat(name).then(
    (entry) => {
      if (entry.isDirectory()) throw new UsageError(`${name} is a folder: name its files`);
      return true;
    },
    () => false,
  );
}

async function readText(name: string): Promise<Text> {
  if (name === '-') return { stem: 'speech', text: plain(await readStream(process.stdin), 'Standard input') };
  return { stem: basename(name, extname(name)), text: plain(await readFile(name, 'utf8'), name) };
}

/** @throws UsageError for a file that is no text */
function plain(text: string, name: string): string {
  if (text.includes('\0')) throw new UsageError(`${name} is not a text`);
  return text.replace(/^\uFEFF/, '');
}
