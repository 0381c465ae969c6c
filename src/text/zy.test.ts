import { it } from 'vitest';
import { readFileSync, writeFileSync } from 'node:fs';
import { sentenceRules } from './espeak/language.ts';
import { defaultNormalization } from './normalize.ts';
import { textPieces } from './pieces.ts';
it('x', async () => {
  for (const l of 'efhip') {
    const rules = await sentenceRules(l as any);
    const out = readFileSync(`/tmp/esp/cases/${l}.txt`,'utf8').trim().split('\n').map((t) => t + '\t' + [...textPieces(t, {...defaultNormalization, unit_normalization:true}, rules)].map((p:any)=>p.tokens.map((x:any)=>x.spoken).filter(Boolean).join(' ')).join(' || '));
    writeFileSync(`/tmp/esp/cases/${l}.out`, out.join('\n')+'\n');
  }
});
