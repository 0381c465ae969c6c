import type { Morpheme } from './analyser.ts';
import { rareKanji } from './rare-kanji.ts';

/** Particles that the dictionary has as one word. */
export const COMPOUNDS: ReadonlyMap<string, string> = new Map([
  ['として', 'と して'],
  ['という', 'と ゆー'],
  ['といった', 'と いった'],
  ['によって', 'に よって'],
  ['により', 'に より'],
  ['による', 'に よる'],
  ['について', 'に ついて'],
  ['において', 'に おいて'],
  ['における', 'に おける'],
  ['に対して', 'に たいして'],
  ['に対する', 'に たいする'],
  ['に関する', 'に かんする'],
  ['に関して', 'に かんして'],
  ['にとって', 'に とって'],
  ['とともに', 'と ともに'],
]);

/** Words whose usual reading is not the dictionary's first. */
const READINGS: ReadonlyMap<string, string> = new Map([
  ['間', 'あいだ'],
  ['云っ', 'いっ'],
  ['この頃', 'このごろ'],
  ['夜中', 'よなか'],
  ['弾き', 'ひき'],
  ['身体', 'からだ'],
  ['互に', 'たがいに'],
  ['地域', 'ちいき'],
  ['降伏', 'こーふく'],
  ['正しく', 'ただしく'],
  ['割る', 'わる'],
  ['行', 'ぎょー'],
  ['腹痛', 'ふくつー'],
  ['緑色', 'みどりいろ'],
  ['漸', 'ぜん'],
  ['汚す', 'よごす'],
  ['汚し', 'よごし'],
  ['汚さ', 'よごさ'],
]);

/** Words that the dictionary reads as names: いでぐち, このした. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['出口', 'でぐち'],
  ['木の下', 'きのした'],
  ['東日本', 'ひがしにほん'],
  ['大谷', 'おーたに'],
]);

/** Kanji that the dictionary does not have as words. */
export const RARE_KANJI: ReadonlyMap<string, string> = new Map([
  ...Array.from(rareKanji.matchAll(/(\p{Script=Han})([ぁ-ゖー]+)/gu), ([, kanji, kana]) => [kanji!, kana!] as const),
  ['此', 'この'],
  ['其', 'その'],
  ['儘', 'まま'],
  ['且', 'かつ'],
  ['頸', 'くび'],
  ['〇', 'ぜろ'],
]);

const HOUR_FOLLOWERS = /^(?:です|でし|だ|だっ|に|から|まで|ごろ|頃|ころ|発|着|半|間|ぐらい|くらい|台)/;

const PARTICLES = /^(?:の|に|は|を|で|も|には|にも|では)$/;
/** What is hot: elsewhere 辛い is つらい. */
const FOOD = /^(?:料理|カレー|味|味付け|食べ物|食べもの|もの|ラーメン|スープ|ソース|キムチ|鍋|麺|のが|のは)$/;

/** A reading that overrides the dictionary's. */
export function otherReading({ surface, pos, detail, kana }: Morpheme, next: Morpheme | undefined): string | undefined {
  if (surface === '何' && kana === 'なに')
    return /^(?:で|の|と|だ|です|でも|なら)/.test(next?.surface ?? '') ? 'なん' : undefined;
  const name = NAMES.get(surface);
  if (name) return name;
  // Elsewhere it is いつ: 何時か, 何時の間に.
  if (surface === '何時' && (!next || next.pos === '記号' || HOUR_FOLLOWERS.test(next.surface))) return 'なんじ';
  // Gold, before a mark; the dictionary has the name Kim.
  if (surface === '金' && kana === 'きむ' && (!next || next.pos === '記号')) return 'きん';
  if (surface === '他' && PARTICLES.test(next?.surface ?? '')) return 'ほか';
  if (surface === '辛い' && FOOD.test(next?.surface ?? '')) return 'からい';
  if (surface === '後' && kana === 'のち' && detail === '非自立') return 'あと';
  return pos === '名詞' && detail === '固有名詞' ? undefined : READINGS.get(surface);
}
