import { wordSet } from '../../patterns.ts';

/** Feminine nouns with other endings than most, in the singular. */
export const feminine = wordSet(
  `analisi arte auto base canzone carne cenere chiave classe corrente corte crisi croce cute dose effigie estate fame fase
  febbre fede fine fonte foto frase gente immagine ipotesi legge lente lepre luce madre micromole millimole mole nanomole mano mente moglie morte moto nave
  neve notte nube opinione origine pace parte patente pelle piramide polvere radice radio religione rete riunione salute
  sede serie sete sezione sintesi siepe sorgente sorte specie superficie tangente tesi tigre torre tosse unione valle
  vergine voce volpe volta`,
);

/** Masculine nouns with endings that most feminine ones have, in the singular. */
export const masculine = wordSet(
  `aroma artista atleta autista cinema clima collega delta dentista diagramma dilemma diploma dramma enigma fantasma
  giornalista gorilla idioma koala panda panorama papa pianeta pianista pigiama poeta prisma problema programma schema sisma
  sistema telegramma tema teorema trauma turista vaglia`,
);
