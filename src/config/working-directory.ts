/**
 * Ends the process with one line if its working directory was removed. Import this first: dependencies read the working
 * directory while they load, and so does every worker thread.
 */

try {
  process.cwd();
} catch (error) {
  const { code } = error as NodeJS.ErrnoException;
  process.stderr.write(
    `The working directory cannot be found (${code}): it was removed. Start in another directory.\n`,
  );
  process.exit(1);
}
