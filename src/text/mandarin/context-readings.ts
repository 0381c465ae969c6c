import { textBefore } from '../patterns.ts';

interface ContextReading {
  /** Matches the end of the text before the character. */
  before?: RegExp;
  /** Matches the text after it. */
  after?: RegExp;
  /** Pinyin with the tone as a digit. */
  reading: string;
}

/** A character that is a surname by its neighbours. */
function surname(reading: string): readonly ContextReading[] {
  return [
    { before: /(?<!百家)姓$/, reading },
    {
      before: /(?:^|[，。！？、：\s])$/,
      after: /^(?:先生|女士|小姐|老师|教授|医生|总(?!是|会|要|能)|局长|经理)/,
      reading,
    },
  ];
}

/** Readings of words by their neighbours, where pinyin-pro has the more frequent one. */
const CONTEXTS: ReadonlyMap<string, readonly ContextReading[]> = new Map([
  // 我得走: must.
  [
    '得',
    [
      {
        before: /[我你您他她它们咱谁也还都就总必]$/,
        after: /^(?:[去走来把先再要给靠等看用买做学找让跟和回问想吃喝睡写]|好好(?!的)|多(?!少))/,
        reading: 'dei3',
      },
    ],
  ],
  // 背着我: behind somebody's back, unlike 背着书包.
  [
    '背着',
    [
      {
        after: /^(?:[我你您他她人]|父母|爸|妈|老[婆公师板]|家[人长]|大家|别人|丈夫|妻子|领导|公司|组织|媒体)/,
        reading: 'bei4 zhe5',
      },
    ],
  ],
  ['背上', [{ after: /^了?(?:一?个)?(?:书包|行囊|背包|包袱|行李|黑锅|骂名|债)/, reading: 'bei1 shang4' }]],
  // 背起书包: to carry.
  ['背', [{ after: /^(?:起(?!来)|了?(?:一?个)?(?:书包|背包|行李|包袱|背篓|黑锅|债|柴|米))/, reading: 'bei1' }]],
  // 一行人: a group that travels, not a line.
  [
    '一行',
    [
      {
        before: /(?:[他她我你咱]们|代表团|考察团|访问团|总理|总统|主席|部长|书记|市长|等)$/,
        after: /^(?!字|代码|文字|诗|树)/,
        reading: 'yi4 xing2',
      },
      { after: /^(?:人(?!名|物)|[二三四五六七八九十几多数百]{1,3}余?[人名])/, reading: 'yi4 xing2' },
    ],
  ],
  // Surnames: 姓曾, 曾先生.
  ['曾', surname('zeng1')],
  ['单', surname('shan4')],
  // 长高了: to grow.
  ['长', [{ after: /^(?:得[好像帅美漂丑]|高|胖|出|满|成(?!都)|着|在|牙|肉|痘|草|毛|叶|虫)/, reading: 'zhang3' }]],
  // 还钱: to give back.
  [
    '还',
    [
      { after: /^了?(?:[书款贷债]|钱(?![包财多不少]))/, reading: 'huan2' },
      { after: /^[我你他她](?:的)?(?:书|钱|东西|车|债|人情)/, before: /[没要来去该不]$/, reading: 'huan2' },
      { before: /[要没未该来去借]$/, after: /^(?:$|了?[，。！？])/, reading: 'huan2' },
    ],
  ],
]);

/** Longest context that the patterns look at. */
const MAX_CONTEXT = 4;

/** The reading of a word by its neighbours, its syllables with spaces between; undefined if they do not decide it. */
export function contextReading(text: string, index: number, word: string): string | undefined {
  const before = textBefore({ text, index }, MAX_CONTEXT);
  const after = text.slice(index + word.length, index + word.length + MAX_CONTEXT);
  return CONTEXTS.get(word)?.find((each) => (each.before?.test(before) ?? true) && (each.after?.test(after) ?? true))
    ?.reading;
}
