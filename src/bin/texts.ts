import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { buffer as readStream } from 'node:stream/consumers';
import type { Named } from './distinct-stems.ts';
import { UsageError } from './exit-codes.ts';

/** A text to speak. */
export interface Text extends Named {
  /** `-` for standard input and for words of the command line. */
  path: string;
  text: string;
}

export interface ReadTexts {
  texts: Text[];
  /** What cannot be read, as lines for the user. */
  problems: string[];
}

/** An argument that ends like this was meant to name a file. */
const fileName = /^.*\.(?:txt|md|markdown|text|html?)$/i;
const MAX_NAME_BYTES = 255;
/** Errors for a name that no file can have. */
const noFile = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/**
 * The texts that arguments name: files, `-`, or words, which are one text together.
 * @throws UsageError if files and words are mixed, or a file does not exist or is not text
 */
export async function readTexts(args: readonly string[]): Promise<ReadTexts> {
  const areFiles = await Promise.all(args.map(isFile));
  const missing = args.find((arg, index) => !areFiles[index] && isFileName(arg));
  if (missing !== undefined) throw new UsageError(`There is no file ${missing}`);
  const file = args.find((_, index) => areFiles[index]);
  if (file === undefined) return { texts: [{ path: '-', stem: 'speech', text: args.join(' ') }], problems: [] };
  const other = args[areFiles.indexOf(false)];
  if (other !== undefined) throw new UsageError(`${file} is a file and ${other} is not`);
  const found: ReadTexts = { texts: [], problems: [] };
  for (const name of args) {
    const text = await readText(name);
    if (typeof text === 'string') found.problems.push(text);
    else found.texts.push(text);
  }
  return found;
}

const isFileName = (arg: string) => fileName.test(arg) && Buffer.byteLength(basename(arg)) <= MAX_NAME_BYTES;

async function isFile(name: string): Promise<boolean> {
  if (name === '-') return true;
  return stat(name).then(
    (entry) => {
      if (entry.isDirectory()) throw new UsageError(`${name} is a folder: name its files`);
      return true;
    },
    // A long text cannot be a file name; a path without permission is one.
    ({ code }) => !noFile.has(code),
  );
}

/** @returns a line for the user if the text cannot be read @throws UsageError for a file that is not text */
async function readText(path: string): Promise<Text | string> {
  const isInput = path === '-';
  const name = isInput ? 'Standard input' : path;
  try {
    const bytes = isInput ? await readStream(process.stdin) : await readFile(path);
    if (bytes.includes(0)) throw new UsageError(`${name} is not a text file`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { path, stem: isInput ? 'speech' : basename(path, extname(path)), text };
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `${name}: the text is not UTF-8`;
    if (syscall !== undefined) return `${name}: ${message}`;
    throw error;
  }
}
