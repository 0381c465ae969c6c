import { describe, expect, it } from 'vitest';
import { defaultNormalization } from '../normalization.ts';
import { textSegments } from '../segments.ts';
import type { LanguageLetter } from '../types.ts';
import { sentenceRules } from './language.ts';

async function sentences(letter: LanguageLetter, text: string): Promise<string[]> {
  const segments = [...textSegments(text, defaultNormalization, await sentenceRules(letter))];
  return segments.flatMap((segment) =>
    segment.type === 'sentence' ? [segment.tokens.map(({ written }) => written).join(' ')] : [],
  );
}

describe('sentences of eSpeak languages', () => {
  it.each([
    ['e', '¿Qué tal? ¡Bien! Adiós.', ['¿Qué tal?', '¡Bien!', 'Adiós.']],
    ['e', '—¡Hola! —dijo el cura—. Pasa.', ['—¡Hola! —dijo el cura—.', 'Pasa.']],
    ['e', '«¿Por qué?», dijo. «No sé.» Calló.', ['«¿Por qué?», dijo.', '«No sé.»', 'Calló.']],
    ['e', 'Pasos: 1. Cortar 2. Asar. Son 2.', ['Pasos: 1. Cortar', '2. Asar.', 'Son 2.']],
    ['e', 'II. Métodos', ['II. Métodos']],
    ['h', 'शनि. 10-5, रवि. बंद। मैं रवि. वह राम।', ['शनि. 10-5, रवि. बंद।', 'मैं रवि.', 'वह राम।']],
    ['e', '¿Por qué? preguntó ella.', ['¿Por qué? preguntó ella.']],
    ['e', 'El Sr. López vive en EE. UU. desde 1990. Vale.', ['El Sr. López vive en EE. UU. desde 1990.', 'Vale.']],
    ['e', 'Pan, vino, etc. Luego durmió.', ['Pan, vino, etc.', 'Luego durmió.']],
    ['e', 'Vale 3.14 o 1.234. Ya.', ['Vale 3.14 o 1.234.', 'Ya.']],
    ['f', 'Dans le 5e arr. Le maire parle.', ['Dans le 5e arr.', 'Le maire parle.']],
    ['f', 'M. Dupont et Mme Roy, p. ex. ici. Oui ?', ['M. Dupont et Mme Roy, p. ex. ici.', 'Oui ?']],
    ['f', '« Viens ! » Il vint.', ['« Viens ! »', 'Il vint.']],
    ['f', '« Où ? » demanda Mr. Smith. Rien.', ['« Où ? » demanda Mr. Smith.', 'Rien.']],
    ['p', 'A lei nº. 8.880 vale. Sim.', ['A lei nº. 8.880 vale.', 'Sim.']],
    ['i', 'Di St. Michael e Mrs. Hall. Sì.', ['Di St. Michael e Mrs. Hall.', 'Sì.']],
    ['f', 'J. R. R. Tolkien écrivit. Bien.', ['J. R. R. Tolkien écrivit.', 'Bien.']],
    ['i', 'Il sig. Rossi, ecc. Poi uscì.', ['Il sig. Rossi, ecc.', 'Poi uscì.']],
    ['p', 'O Sr. Silva saiu… Depois voltou!', ['O Sr. Silva saiu… Depois voltou!']],
    ['h', 'राम आया। सीता गई॥ क्यों? डॉ. शर्मा।', ['राम आया।', 'सीता गई॥', 'क्यों?', 'डॉ. शर्मा।']],
    ['e', 'Juan S. Pérez y N. P. Gil. Fin.', ['Juan S. Pérez y N. P. Gil.', 'Fin.']],
    ['f', 'J. P. Dupont est là. Oui.', ['J. P. Dupont est là.', 'Oui.']],
    ['e', 'El Lic. Ruiz, la Dña. Ana y el s. XIX. Fin.', ['El Lic. Ruiz, la Dña. Ana y el s. XIX.', 'Fin.']],
    ['f', 'Art. 3 al. 2, Tous et al. Puis rien.', ['Art. 3 al. 2, Tous et al.', 'Puis rien.']],
    ['i', 'Nel sec. XIX, cell. 347 1234567. Poi.', ['Nel sec. XIX, cell. 347 1234567.', 'Poi.']],
    ['i', 'Dal 5 gen. 2024. Poi.', ['Dal 5 gen. 2024.', 'Poi.']],
    ['p', 'O Eng. Paulo, no séc. XIX. Fim.', ['O Eng. Paulo, no séc. XIX.', 'Fim.']],
    ['h', 'Rs. 500 उ. प्र. में। स्व. इंदिरा।', ['Rs. 500 उ. प्र. में।', 'स्व. इंदिरा।']],
    ['h', 'वह 5 कि.मी. चला। बस।', ['वह 5 कि.मी. चला।', 'बस।']],
    ['h', 'ए. पी. जे. अब्दुल कलाम आए। बस।', ['ए. पी. जे. अब्दुल कलाम आए।', 'बस।']],
    ['h', 'पी. चिदंबरम (बी.जे.पी.) में हैं। बस।', ['पी. चिदंबरम (बी.जे.पी.) में हैं।', 'बस।']],
    ['h', 'उसने चाय पी. वह घर आई. आया है.तो चलो.', ['उसने चाय पी.', 'वह घर आई.', 'आया है.', 'तो चलो.']],
    ['h', '5 मी. लंबा, 200 मि.ली. दूध, 1947 ई. में।', ['5 मी. लंबा, 200 मि.ली. दूध, 1947 ई. में।']],
    ['e', 'Nos vemos el mié. 7 en casa. Ya.', ['Nos vemos el mié. 7 en casa.', 'Ya.']],
    ['e', 'El art. 3, párr. 2, y la Lda. Ruiz. Fin.', ['El art. 3, párr. 2, y la Lda. Ruiz.', 'Fin.']],
    ['f', 'Voir t. II, tab. 2, au bât. 5. Fin.', ['Voir t. II, tab. 2, au bât. 5.', 'Fin.']],
    ['i', 'Gli artt. 1 e 2, par. 2, del Sen. Verdi. Poi.', ['Gli artt. 1 e 2, par. 2, del Sen. Verdi.', 'Poi.']],
    ['p', 'A Rod. Anhanguera, n. 5, bl. 2. Fim.', ['A Rod. Anhanguera, n. 5, bl. 2.', 'Fim.']],
    ['i', 'Una riga\nche continua.\n\nUn paragrafo', ['Una riga che continua.', 'Un paragrafo']],
    ['p', '- um\n- dois', ['- um', '- dois']],
    ['e', 'La Mtra. Ruiz, el Edif. Sol y Bs. As. Fin.', ['La Mtra. Ruiz, el Edif. Sol y Bs. As.', 'Fin.']],
    ['e', 'Tel. 555-1234 ext. 12. El cap. 5. Fin.', ['Tel. 555-1234 ext. 12.', 'El cap. 5.', 'Fin.']],
    ['p', 'Ao Sr(a). Silva, no Cel. Nunes. Fim.', ['Ao Sr(a). Silva, no Cel. Nunes.', 'Fim.']],
    ['f', 'Demain : max. -2 °C. Voir tabl. 2. Fin.', ['Demain : max. -2 °C.', 'Voir tabl. 2.', 'Fin.']],
    ['h', 'श्री. शर्मा 2 दिसं. 2026 को आए। बस।', ['श्री. शर्मा 2 दिसं. 2026 को आए।', 'बस।']],
  ] as [LanguageLetter, string, string[]][])('%s: %s', async (letter, text, expected) => {
    expect(await sentences(letter, text)).toEqual(expected);
  });

  it.each([
    ['e', 'El Sr. Gil, máx. 32 °C, en EE. UU. desde 1990. Ya.'],
    ['f', 'Au Ier s. av. J.-C., t. III, au bât. 5. Fin.'],
    ['p', 'No séc. XIX, na pág. 5. Fim.'],
  ] as [LanguageLetter, string][])(
    '%s: %s is cut alike in separate and full-width characters',
    async (letter, text) => {
      const usual = await sentences(letter, text);
      const fullWidth = text.replace(/[!-~]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + 0xfee0));
      expect((await sentences(letter, text.normalize('NFD'))).map((each) => each.normalize('NFC'))).toEqual(usual);
      expect((await sentences(letter, fullWidth)).map((each) => each.normalize('NFKC'))).toEqual(
        usual.map((each) => each.normalize('NFKC')),
      );
    },
  );

  it('are cut if too long', async () => {
    const long = await sentences('e', `${'palabra '.repeat(40)}y así, ${'otra '.repeat(60)}fin.`);
    expect(long.length).toBeGreaterThan(1);
    expect(long[0]!.endsWith('y así,')).toBe(true);
    const endless = await sentences('h', 'क'.repeat(3000));
    expect(endless.join('')).toBe('क'.repeat(3000));
    expect(Math.max(...endless.map((sentence) => sentence.length))).toBeLessThanOrEqual(400);
  });

  it('lose no characters, in time linear in the text', async () => {
    for (const part of ['a', '1', '. ', '«', 'EE. ', 'IV ', '1/', 'www.', '\n', '¿', 'क्']) {
      const text = part.repeat(20_000 / part.length);
      const segments = await sentences('e', text);
      const lost = text.replace(/\s/g, '').length - segments.join('').replace(/\s/g, '').length;
      if (/[a-z\d]/i.test(part)) expect(lost).toBe(0);
    }
  }, 60_000);
});
