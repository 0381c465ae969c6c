import { notify } from './notice.ts';

let loaded: string | undefined;
let isTold = false;

/** Says once that the service was updated: the page may not fit it. @param version what the service runs now */
export function checkVersion(version: string): void {
  loaded ??= version;
  if (isTold || version === loaded) return;
  isTold = true;
  notify(`The service was updated to version ${version}. Reload the page when you have finished.`);
}
