/**
 * Whether a dictionary word is kept away from the training of the letter-to-sound model, so that the model can be
 * measured on it: about one word in twenty, by its 32-bit FNV-1a hash.
 */
export function isHeldOut(word: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % 20 === 0;
}
