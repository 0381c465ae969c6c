const nameOf = (fileId: string) => `hearsay.recording.${fileId}`;

/** Marks a recording as being made by this page, for other tabs. @returns a function that ends it */
export function lockRecording(fileId: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks?.request(nameOf(fileId), () => promise);
  return resolve;
}

/** Whether another tab is making a recording. */
export async function isRecordedElsewhere(fileId: string): Promise<boolean> {
  // Without a secure context there are neither locks nor microphones.
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === nameOf(fileId));
}
