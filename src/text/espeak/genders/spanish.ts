import { wordSet } from '../../patterns.ts';
import { withPlurals } from '../rules.ts';

const plural = (noun: string) => {
  if (/[aeiouáé]$/.test(noun)) return `${noun}s`;
  if (/is$/.test(noun)) return noun;
  return `${noun.replace(/z$/, 'c').replace(/ón$/, 'on').replace(/én$/, 'en')}es`;
};

/** Feminine nouns with other endings than most. */
export const feminine = withPlurals(
  wordSet(`actriz base calle canción carne cárcel catedral catástrofe cicatriz clase clave coliflor corriente crisis cruz
  debacle dosis efigie elipsis espiral especie estirpe estrofe fase fe fiebre flor foto frase fuente gente gripe hambre hipótesis hoz
  imagen imágenes índole labor leche lente ley llave lombriz luz madre mano matriz medianoche mente metrópolis miel moto
  muerte mujer nariz nave nieve noche nube parálisis parte pared patente paz perdiz piel pirámide planicie plebe pose postal prole
  prótesis raíz razón red sal sangre sartén sed sede señal serie serpiente sien síntesis sinopsis sucursal suerte
  superficie tarde tesis torre tos tribu urbe variante vez virgen vírgenes vocal voz web`),
  plural,
);

/** Masculine nouns with endings that most feminine ones have. */
export const masculine = withPlurals(
  wordSet(`dálmata aroma artista atleta axioma camarada carisma clima colega cometa crucigrama dentista día diagrama dilema diploma
  drama enigma esquema fantasma futbolista guitarrista idioma juez koala lema mapa mediodía metro panda panorama periodista
  pez pijama pirata planeta poema poeta problema profeta programa puma síntoma sistema sofá taxista telegrama tema teorema
  tranvía trauma turista yoga`),
  plural,
);
