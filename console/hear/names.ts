/** Names and spellings as form fields. Translations know no keywords, but a prompt. */
export function namesFor(
  task: 'transcriptions' | 'translations',
  names: string,
): { prompt: string; keywords: readonly string[] } {
  if (task === 'translations') return { prompt: names.trim(), keywords: [] };
  const list = names.split(/[,;\n]/).map((name) => name.trim());
  return { prompt: '', keywords: list.filter((name) => name !== '') };
}
