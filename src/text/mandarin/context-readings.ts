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

/** Readings of words of one character by their neighbours, where pinyin-pro has the more frequent one. */
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
      { before: /[要没未该来去借]$/, after: /^(?:$|了?[，。！？])/, reading: 'huan2' },
    ],
  ],
]);

/** Longest context that the patterns look at. */
const MAX_CONTEXT = 4;

/** The reading of a word of one character by its neighbours; undefined if they do not decide it. */
export function contextReading(text: string, index: number, character: string): string | undefined {
  const before = text.slice(Math.max(0, index - MAX_CONTEXT), index);
  const after = text.slice(index + character.length, index + character.length + MAX_CONTEXT);
  return CONTEXTS.get(character)?.find(
    (each) => (each.before?.test(before) ?? true) && (each.after?.test(after) ?? true),
  )?.reading;
}
