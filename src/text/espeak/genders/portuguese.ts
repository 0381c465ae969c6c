import { wordSet } from '../../patterns.ts';
import { withPlurals } from '../rules.ts';

const plural = (noun: string) => {
  if (/ão$/.test(noun) && noun !== 'mão') return `${noun.slice(0, -2)}ões`;
  if (/[rz]$/.test(noun)) return `${noun}es`;
  if (/m$/.test(noun)) return `${noun.slice(0, -1)}ns`;
  if (/[aeo]l$/.test(noun)) return `${noun.slice(0, -1)}is`;
  return /s$/.test(noun) ? noun : `${noun}s`;
};

/** Feminine nouns with other endings than most. */
export const feminine = withPlurals(
  wordSet(`suíte análise arte árvore atriz ave barbárie base capital carne catedral catástrofe central chaminé chave cicatriz
  classe clave colher cor corrente crise cruz diretriz dor dose enchente espécie estante fase fé febre filial flor fome
  fonte foto frase frente gente greve hipótese internet legião lei luz mãe mão maré matriz mente morte moto mulher
  multidão nascente nave neve noite noz nuvem opinião ordem parede parte patente paz pele planície ponte questão raiz razão
  rede região religião reunião ré saúde sede semente série serpente síntese solidão sorte superfície tarde tese torre tosse
  união variante vez virgem virtude vogal voz web`),
  plural,
);

/** Masculine nouns with endings that most feminine ones have. */
export const masculine = withPlurals(
  wordSet(`dálmata aroma artista atleta axioma cinema clima colega cometa coração dentista dia diagrama dilema diploma drama emblema
  enigma esquema fantasma grama idioma jornalista lema mapa miligrama panda panorama pijama pirata planeta poema poeta
  problema profeta programa quilograma sintoma sistema sofá telefonema telegrama tema teorema trauma turista`),
  plural,
);
