import { wordSet } from '../normalize/reading.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { after, before, type Context, isBe, isDeterminer, isModal, PRONOUNS, usedAs } from './part-of-speech.ts';
import { withS } from './word-forms.ts';

const phones = (text: string) => parsePhones(text.split(' '));

/** Nouns and adjectives stressed at the front, verbs at the back; the second word of an entry says what is usual. */
const STRESS_SHIFT: Record<string, [noun: string, verb: string, usual?: 'verb']> = {
  absent: ['AE1 B S AH0 N T', 'AE0 B S EH1 N T'],
  abstract: ['AE1 B S T R AE2 K T', 'AE0 B S T R AE1 K T'],
  addict: ['AE1 D IH0 K T', 'AH0 D IH1 K T'],
  affix: ['AE1 F IH2 K S', 'AH0 F IH1 K S', 'verb'],
  attribute: ['AE1 T R AH0 B Y UW2 T', 'AH0 T R IH1 B Y UW2 T'],
  augment: ['AO1 G M AH0 N T', 'AO0 G M EH1 N T', 'verb'],
  combine: ['K AA1 M B AY2 N', 'K AH0 M B AY1 N', 'verb'],
  commune: ['K AA1 M Y UW2 N', 'K AH0 M Y UW1 N'],
  compact: ['K AA1 M P AE2 K T', 'K AH0 M P AE1 K T'],
  compound: ['K AA1 M P AW2 N D', 'K AH0 M P AW1 N D'],
  compress: ['K AA1 M P R EH2 S', 'K AH0 M P R EH1 S', 'verb'],
  concert: ['K AA1 N S ER0 T', 'K AH0 N S ER1 T'],
  conduct: ['K AA1 N D AH2 K T', 'K AH0 N D AH1 K T'],
  confine: ['K AA1 N F AY2 N', 'K AH0 N F AY1 N', 'verb'],
  conflict: ['K AA1 N F L IH2 K T', 'K AH0 N F L IH1 K T'],
  console: ['K AA1 N S OW2 L', 'K AH0 N S OW1 L'],
  consort: ['K AA1 N S AO0 R T', 'K AH0 N S AO1 R T'],
  construct: ['K AA1 N S T R AH2 K T', 'K AH0 N S T R AH1 K T', 'verb'],
  content: ['K AA1 N T EH0 N T', 'K AH0 N T EH1 N T'],
  contest: ['K AA1 N T EH2 S T', 'K AH0 N T EH1 S T'],
  contract: ['K AA1 N T R AE2 K T', 'K AH0 N T R AE1 K T'],
  contrast: ['K AA1 N T R AE2 S T', 'K AH0 N T R AE1 S T'],
  converse: ['K AA1 N V ER2 S', 'K AH0 N V ER1 S', 'verb'],
  convert: ['K AA1 N V ER2 T', 'K AH0 N V ER1 T', 'verb'],
  convict: ['K AA1 N V IH0 K T', 'K AH0 N V IH1 K T', 'verb'],
  decrease: ['D IY1 K R IY2 S', 'D IH0 K R IY1 S'],
  defect: ['D IY1 F EH0 K T', 'D IH0 F EH1 K T'],
  desert: ['D EH1 Z ER0 T', 'D IH0 Z ER1 T'],
  digest: ['D AY1 JH EH2 S T', 'D AY0 JH EH1 S T', 'verb'],
  discard: ['D IH1 S K AA2 R D', 'D IH0 S K AA1 R D', 'verb'],
  discharge: ['D IH1 S CH AA2 R JH', 'D IH0 S CH AA1 R JH', 'verb'],
  discount: ['D IH1 S K AW2 N T', 'D IH0 S K AW1 N T'],
  discourse: ['D IH1 S K AO2 R S', 'D IH0 S K AO1 R S'],
  entrance: ['EH1 N T R AH0 N S', 'EH0 N T R AE1 N S'],
  escort: ['EH1 S K AO2 R T', 'EH0 S K AO1 R T'],
  exploit: ['EH1 K S P L OY2 T', 'EH0 K S P L OY1 T', 'verb'],
  export: ['EH1 K S P AO2 R T', 'EH0 K S P AO1 R T'],
  extract: ['EH1 K S T R AE2 K T', 'EH0 K S T R AE1 K T', 'verb'],
  ferment: ['F ER1 M EH2 N T', 'F ER0 M EH1 N T', 'verb'],
  frequent: ['F R IY1 K W AH0 N T', 'F R IY0 K W EH1 N T'],
  import: ['IH1 M P AO2 R T', 'IH0 M P AO1 R T', 'verb'],
  incense: ['IH1 N S EH2 N S', 'IH0 N S EH1 N S'],
  incline: ['IH1 N K L AY2 N', 'IH0 N K L AY1 N', 'verb'],
  increase: ['IH1 N K R IY2 S', 'IH0 N K R IY1 S', 'verb'],
  insert: ['IH1 N S ER2 T', 'IH0 N S ER1 T', 'verb'],
  insult: ['IH1 N S AH2 L T', 'IH0 N S AH1 L T'],
  invite: ['IH1 N V AY2 T', 'IH0 N V AY1 T', 'verb'],
  object: ['AA1 B JH EH0 K T', 'AH0 B JH EH1 K T'],
  perfect: ['P ER1 F IH0 K T', 'P ER0 F EH1 K T'],
  perfume: ['P ER1 F Y UW2 M', 'P ER0 F Y UW1 M'],
  permit: ['P ER1 M IH0 T', 'P ER0 M IH1 T'],
  pervert: ['P ER1 V ER2 T', 'P ER0 V ER1 T'],
  present: ['P R EH1 Z AH0 N T', 'P R IY0 Z EH1 N T'],
  progress: ['P R AA1 G R EH0 S', 'P R AH0 G R EH1 S'],
  project: ['P R AA1 JH EH2 K T', 'P R AH0 JH EH1 K T'],
  prospect: ['P R AA1 S P EH2 K T', 'P R AH0 S P EH1 K T'],
  protest: ['P R OW1 T EH2 S T', 'P R AH0 T EH1 S T'],
  rebel: ['R EH1 B AH0 L', 'R IH0 B EH1 L'],
  recall: ['R IY1 K AO2 L', 'R IH0 K AO1 L', 'verb'],
  record: ['R EH1 K ER0 D', 'R IH0 K AO1 R D'],
  refill: ['R IY1 F IH2 L', 'R IY0 F IH1 L', 'verb'],
  refund: ['R IY1 F AH2 N D', 'R IH0 F AH1 N D', 'verb'],
  refuse: ['R EH1 F Y UW2 S', 'R IH0 F Y UW1 Z', 'verb'],
  regress: ['R IY1 G R EH2 S', 'R IH0 G R EH1 S', 'verb'],
  reject: ['R IY1 JH EH2 K T', 'R IH0 JH EH1 K T', 'verb'],
  relapse: ['R IY1 L AE2 P S', 'R IH0 L AE1 P S', 'verb'],
  relay: ['R IY1 L EY2', 'R IY0 L EY1'],
  remake: ['R IY1 M EY2 K', 'R IY0 M EY1 K', 'verb'],
  reprint: ['R IY1 P R IH2 N T', 'R IY0 P R IH1 N T', 'verb'],
  rerun: ['R IY1 R AH2 N', 'R IY0 R AH1 N', 'verb'],
  rewrite: ['R IY1 R AY2 T', 'R IY0 R AY1 T', 'verb'],
  segment: ['S EH1 G M AH0 N T', 'S EH1 G M EH2 N T'],
  subject: ['S AH1 B JH EH0 K T', 'S AH0 B JH EH1 K T'],
  survey: ['S ER1 V EY2', 'S ER0 V EY1'],
  suspect: ['S AH1 S P EH2 K T', 'S AH0 S P EH1 K T'],
  torment: ['T AO1 R M EH2 N T', 'T AO0 R M EH1 N T'],
  transfer: ['T R AE1 N S F ER0', 'T R AE0 N S F ER1'],
  transform: ['T R AE1 N S F AO2 R M', 'T R AE0 N S F AO1 R M', 'verb'],
  transplant: ['T R AE1 N S P L AE2 N T', 'T R AE0 N S P L AE1 N T', 'verb'],
  transport: ['T R AE1 N S P AO2 R T', 'T R AE0 N S P AO1 R T'],
  upset: ['AH1 P S EH2 T', 'AH2 P S EH1 T', 'verb'],
  // Not the stress but the last consonant or vowel tells these apart.
  abuse: ['AH0 B Y UW1 S', 'AH0 B Y UW1 Z'],
  diffuse: ['D IH0 F Y UW1 S', 'D IH0 F Y UW1 Z', 'verb'],
  excuse: ['IH0 K S K Y UW1 S', 'IH0 K S K Y UW1 Z', 'verb'],
  house: ['HH AW1 S', 'HH AW1 Z'],
  misuse: ['M IH0 S Y UW1 S', 'M IH0 S Y UW1 Z'],
  mouth: ['M AW1 TH', 'M AW1 DH'],
  reuse: ['R IY0 Y UW1 S', 'R IY0 Y UW1 Z', 'verb'],
  sow: ['S AW1', 'S OW1', 'verb'],
};

/** The verb ends in eɪt, the noun or adjective in ət. */
const ATE = wordSet(
  'advocate affiliate aggregate alternate animate appropriate approximate articulate associate carbonate certificate ' +
    'confederate conglomerate conjugate coordinate degenerate delegate deliberate desolate duplicate elaborate estimate ' +
    'expatriate graduate initiate intimate laminate legitimate moderate postulate precipitate predicate regenerate ' +
    'separate subordinate syndicate triplicate underestimate',
);
const ATE_USUALLY_VERB = wordSet(
  'animate delegate elaborate estimate initiate laminate postulate precipitate regenerate underestimate',
);

/** The verb ends in a full mɛnt. */
const MENT = wordSet('complement compliment document fragment implement ornament supplement');
const MENT_USUALLY_VERB = wordSet('implement');

/** What tells the sense of one word; a rule gives nothing where the dictionary's own entry is right. */
type Rule = (context: Context, at: number) => string | undefined;

const TIME_PAST =
  /^(?:yesterday|ago|last|once|earlier|previously|was|were|had|did|said|knew|thought|went|came|took|found|told|saw|wrote|felt|gave)$/;
const PAST_NEAR = 12;

const RULES: Record<string, Rule> = {
  read: (context, at) => {
    const { word: previous, at: place } = before(context, at);
    const present = 'R IY1 D';
    const past = 'R EH1 D';
    if (previous === undefined) return present;
    if (
      previous === 'has' ||
      previous === 'have' ||
      previous === 'had' ||
      previous.endsWith("'ve") ||
      isBe(previous) ||
      previous === 'well'
    )
      return past;
    if (isModal(previous) || isDeterminer(previous)) return present;
    const governor = context.words[place - 1];
    const asked = isModal(governor) || isModal(context.words[place - 2]);
    if (asked) return present;
    if (/^(?:has|have|had)$/.test(governor ?? '')) return past;
    if (/^an?$/.test(governor ?? '') && after(context, at) === undefined) return present;
    if (/^(?:he|she|it|which)$/.test(previous) || isDeterminer(governor))
      return /s$/.test(previous) && previous.length > 3 ? present : past;
    return near(context, at, TIME_PAST) ||
      context.words.slice(Math.max(0, at - PAST_NEAR), at).some((word) => /[^e]ed$/.test(word))
      ? past
      : present;
  },
  produce: (context, at) =>
    usedAs(context, at) === 'noun' || /^(?:fresh|farm|local|organic|seasonal)$/.test(before(context, at).word ?? '')
      ? 'P R OW1 D UW2 S'
      : 'P R AH0 D UW1 S',
  lead: (context, at) => {
    const next = after(context, at) ?? '';
    const { word: previous = '' } = before(context, at);
    const metal =
      /^(?:pipes?|paint|poisoning|pencils?|acid|batter(?:y|ies)|bullets?|shot|levels|exposure|ore|sulfide|weights?|contamination|solder|glass)$/.test(
        next,
      ) ||
      (/^(?:of|with|contains?|containing|like|molten|and|from)$/.test(previous) &&
        near(
          context,
          at,
          /^(?:metals?|pipes?|zinc|mercury|copper|tin|iron|silver|paint|toxic|heavy|molten|made|balloon|poison|gold|contains?)$/,
        ));
    return metal ? 'L EH1 D' : 'L IY1 D';
  },
  live: (context, at) => {
    const used = usedAs(context, at);
    const next = after(context, at) ?? '';
    const { word: previous = '' } = before(context, at);
    if (used === 'verb') return 'L IH1 V';
    if (
      isBe(previous) ||
      used === 'noun' ||
      /^(?:go|goes|going|went|broadcast|streamed|recorded|performed|perform|watch|see)$/.test(previous)
    )
      return 'L AY1 V';
    return /^(?:in|at|with|near|on|here|there|together|alone|by|under|for|without|like|among|as|through|up|off|long|longer|forever|happily)$/.test(
      next,
    ) && previous !== ''
      ? 'L IH1 V'
      : 'L AY1 V';
  },
  lives: (context, at) => {
    const { word: previous = '' } = before(context, at);
    const next = after(context, at) ?? '';
    if (/^(?:he|she|it|who|that|one|everyone|nobody)$/.test(previous)) return 'L IH1 V Z';
    if (usedAs(context, at) === 'noun' && !/^(?:in|at|with|near|on|here|there)$/.test(next)) return 'L AY1 V Z';
    if (
      isDeterminer(previous) ||
      previous === 'of' ||
      /^(?:many|two|three|nine|people's|daily|whole|own)$/.test(previous)
    )
      return 'L AY1 V Z';
    return /^(?:in|at|with|near|on|here|there|alone|by|under|next)$/.test(next) ? 'L IH1 V Z' : 'L AY1 V Z';
  },
  use: (context, at) => {
    const { word: previous = '' } = before(context, at);
    if (
      /^(?:of|in|make|making|makes|made|for|any|no|into|by|fair|daily|good|its|drug|land|energy|water)$/.test(previous)
    )
      return 'Y UW1 S';
    const used = usedAs(context, at);
    return used === 'noun' || (used === undefined && after(context, at) === 'of') ? 'Y UW1 S' : 'Y UW1 Z';
  },
  uses: (context, at) =>
    usedAs(context, at) === 'noun' || /^(?:many|several|various|other|its)$/.test(before(context, at).word ?? '')
      ? 'Y UW1 S AH0 Z'
      : 'Y UW1 Z AH0 Z',
  used: (context, at) => {
    if (after(context, at) !== 'to') return 'Y UW1 Z D';
    const { word: previous } = before(context, at);
    const object = context.words[at + 2] ?? '';
    // `is used to make` is the tool, `is used to it` the habit.
    const tool =
      (isBe(previous) || previous === undefined) &&
      !isDeterminer(object) &&
      !/ing$|^(?:it|him|them|me|you|us|being)$/.test(object);
    return tool ? 'Y UW1 Z D' : 'Y UW1 S T';
  },
  wind: (context, at) => (isTurning(context, at) ? 'W AY1 N D' : 'W IH1 N D'),
  winds: (context, at) =>
    /^(?:it|he|she|road|river|path|trail|which|that)$/.test(before(context, at).word ?? '') ||
    /^(?:up|through|its|around|down)$/.test(after(context, at) ?? '')
      ? 'W AY1 N D Z'
      : 'W IH1 N D Z',
  wound: (context, at) => {
    const { word: previous } = before(context, at);
    const next = after(context, at) ?? '';
    if (/^(?:up|around|down|through|tightly|tight|back|round)$/.test(next)) return 'W AW1 N D';
    const turned =
      previous !== undefined &&
      (PRONOUNS.has(previous) || previous === 'had' || previous === 'has') &&
      /^(?:the|his|her|its|it|their|my)$/.test(next);
    return turned && !near(context, at, /^(?:knife|sword|bullet|arrow)$/) ? 'W AW1 N D' : 'W UW1 N D';
  },
  tear: (context, at) => {
    const next = after(context, at) ?? '';
    const { word: previous = '' } = before(context, at);
    const torn =
      usedAs(context, at) === 'verb' ||
      /^(?:up|down|apart|off|in|through|along|resistant)$/.test(next) ||
      previous === 'and';
    return torn && !/^(?:gas|drops?|ducts?)$/.test(next) ? 'T EH1 R' : 'T IH1 R';
  },
  tears: (context, at) =>
    /^(?:up|apart|down|the|off|a|it|him|her|his|through)$/.test(after(context, at) ?? '') &&
    !/^(?:in|of|with|to|into|my|your|his|her|their|the)$/.test(before(context, at).word ?? '')
      ? 'T EH1 R Z'
      : 'T IH1 R Z',
  close: (context, at) => {
    const { word: previous = '' } = before(context, at);
    const next = after(context, at);
    if (next === 'of' && isDeterminer(previous)) return 'K L OW1 Z';
    if (
      next === 'to' ||
      isBe(previous) ||
      /^(?:so|very|too|as|how|stay|get|got|come|came|stand|keep|up|quite|pretty)$/.test(previous)
    )
      return 'K L OW1 S';
    return usedAs(context, at) === 'verb' ? 'K L OW1 Z' : 'K L OW1 S';
  },
  bow: (context, at) => {
    const next = after(context, at) ?? '';
    const bent =
      usedAs(context, at) === 'verb' ||
      /^(?:down|out|before)$/.test(next) ||
      near(context, at, /^(?:ship|ship's|boat|boat's|stern|deck|hull|vessel|audience|applause|took|takes?|taking)$/);
    return bent && !/^(?:and|ties?|tie|string|hunting)$/.test(next) ? 'B AW1' : 'B OW1';
  },
  row: (context, at) => {
    const quarrel =
      /^(?:blazing|furious|heated|blistering)$/.test(before(context, at).word ?? '') ||
      /^(?:erupted|broke)$/.test(after(context, at) ?? '');
    return quarrel ? 'R AW1' : 'R OW1';
  },
  bass: (context, at) =>
    /^(?:fish|fishing|lake|boat|population)$/.test(after(context, at) ?? '') ||
    /^(?:sea|largemouth|smallmouth|striped|grilled|fresh)$/.test(before(context, at).word ?? '') ||
    near(context, at, /^(?:caught|fish|fishing|trout|lake|river|fisherman|fillets?)$/)
      ? 'B AE1 S'
      : 'B EY1 S',
  dove: (context, at) => {
    const { word: previous } = before(context, at);
    const dived = /^(?:into|in|off|down|under|deep|headfirst|for|right|straight|from|beneath|head)$/.test(
      after(context, at) ?? '',
    );
    return dived && previous !== undefined && !isDeterminer(previous) ? 'D OW1 V' : 'D AH1 V';
  },
  does: (context, at) =>
    /^(?:the|two|three|several|and)$/.test(before(context, at).word ?? '') &&
    near(context, at, /^(?:bucks?|stags?|deer|fawns?)$/)
      ? 'D OW1 Z'
      : 'D AH1 Z',
  sewer: (context, at) =>
    /^(?:skilled|expert|experienced|talented|home)$/.test(before(context, at).word ?? '') ? 'S OW1 ER0' : 'S UW1 ER0',
  polish: (context, at) => {
    const capital = /^P/.test(context.written[at]!);
    if (!capital) return 'P AA1 L IH0 SH';
    const opening = at === 0;
    return opening && usedAs(context, at) === 'verb' ? 'P AA1 L IH0 SH' : 'P OW1 L IH0 SH';
  },
  reading: (context, at) =>
    context.written[at] === 'Reading' && /^(?:in|to|from|near|at|of)$/.test(before(context, at).word ?? '')
      ? 'R EH1 D IH0 NG'
      : 'R IY1 D IH0 NG',
  resume: (context, at) => {
    if (/é/.test(context.written[at]!)) return 'R EH1 Z AH0 M EY2';
    return usedAs(context, at) === 'noun' ? 'R EH1 Z AH0 M EY2' : 'R IH0 Z UW1 M';
  },
  resumes: (context, at) =>
    /é/.test(context.written[at]!) || usedAs(context, at) === 'noun' ? 'R EH1 Z AH0 M EY2 Z' : 'R IH0 Z UW1 M Z',
  minute: (context, at) => {
    const tiny =
      /^(?:details?|amounts?|quantit(?:y|ies)|particles?|differences?|traces?|fraction|changes|variations|organisms?|hole|pieces?|steps|grains?|specks?)$/.test(
        after(context, at) ?? '',
      ) || /^(?:very|so|extremely|most|too)$/.test(context.words[at - 1] ?? '');
    return tiny ? 'M AY0 N UW1 T' : 'M IH1 N AH0 T';
  },
  invalid: (context, at) => {
    const next = after(context, at);
    const person =
      isDeterminer(before(context, at).word) &&
      (next === undefined || /^(?:was|is|who|and|for|in|had|lay|sat)$/.test(next));
    return person ? 'IH1 N V AH0 L IH0 D' : 'IH0 N V AE1 L IH0 D';
  },
  content: (context, at) => {
    const { word: previous } = before(context, at);
    const pleased =
      (isBe(previous) || /^(?:feel|felt|seem|seemed|perfectly|quite|remain)$/.test(previous ?? '')) &&
      !/^(?:is|are|was)$/.test(after(context, at) ?? '');
    return pleased || after(context, at) === 'with' ? 'K AH0 N T EH1 N T' : 'K AA1 N T EH0 N T';
  },
  contents: () => 'K AA1 N T EH0 N T S',
  learned: (context, at) =>
    /^(?:man|men|woman|scholars?|professor|friend|colleague|counsel|societ(?:y|ies)|judge|people|gentleman)$/.test(
      after(context, at) ?? '',
    )
      ? 'L ER1 N IH0 D'
      : 'L ER1 N D',
  aged: (context, at) => {
    const next = after(context, at);
    return (isDeterminer(before(context, at).word) &&
      (next === undefined || !/^(?:cheese|beef|wine|whiskey|rum|balsamic)$/.test(next))) ||
      /^(?:parents?|mother|father|relatives?|man|woman|care)$/.test(next ?? '')
      ? 'EY1 JH IH0 D'
      : 'EY1 JH D';
  },
  blessed: (context, at) =>
    /^(?:virgin|event|be|are|sacrament|relief|assurance|trinity)$/.test(after(context, at) ?? '')
      ? 'B L EH1 S IH0 D'
      : 'B L EH1 S T',
  beloved: (context, at) =>
    isBe(before(context, at).word) || after(context, at) === 'by' ? 'B IH0 L AH1 V D' : 'B IH0 L AH1 V IH0 D',
  crooked: () => 'K R UH1 K IH0 D',
  dogged: (context, at) => (usedAs(context, at) === 'noun' ? 'D AO1 G IH0 D' : 'D AO1 G D'),
  buffet: (context, at) => (usedAs(context, at) === 'verb' ? 'B AH1 F AH0 T' : 'B AH0 F EY1'),
  closer: (context, at) =>
    isDeterminer(before(context, at).word) && after(context, at) === undefined ? 'K L OW1 Z ER0' : 'K L OW1 S ER0',
  axes: () => 'AE1 K S IY2 Z',
  bases: (context, at) =>
    /^(?:military|army|naval|air|all|loaded|touch|data)$/.test(before(context, at).word ?? '')
      ? 'B EY1 S AH0 Z'
      : 'B EY1 S IY2 Z',
  analyses: (context, at) => (usedAs(context, at) === 'verb' ? 'AE1 N AH0 L AY2 Z AH0 Z' : 'AH0 N AE1 L AH0 S IY2 Z'),
};

/**
 * Phones of a word that is said in two ways, chosen by its neighbours; nothing where the word is no homograph.
 * @param entry the dictionary's phones of a word
 */
export function homograph(
  context: Context,
  at: number,
  entry: (word: string) => readonly Phone[],
): readonly Phone[] | undefined {
  const word = context.words[at]!;
  const rule = Object.hasOwn(RULES, word) ? RULES[word]! : undefined;
  if (rule) return map(rule(context, at));
  const stem = word.endsWith('s') && !Object.hasOwn(STRESS_SHIFT, word) ? singular(word) : word;
  const sense = bySense(stem, usedAs(context, at), entry);
  return sense && (stem === word ? sense : withS(sense));
}

/** Words whose plain entry in a lexicon is one of two senses, of the same part of speech even. */
const MEANINGS = wordSet('lead bow row bass does sewer polish resume resumes bases');
/** Words that more than their part of speech tells apart. */
const TOLD_BY_RULES = wordSet(
  'read lives live use used wind winds wound tear tears close dove reading minute content learned',
);

/** Whether the rules for a word, in small letters, know more than a lexicon with parts of speech. */
export function hasSenses(word: string): boolean {
  return MEANINGS.has(word) || TOLD_BY_RULES.has(word);
}

/** Whether a word, in small letters, is one that is said in two ways. */
export function isHomograph(word: string): boolean {
  if (Object.hasOwn(RULES, word)) return true;
  const stem = word.endsWith('s') && !Object.hasOwn(STRESS_SHIFT, word) ? singular(word) : word;
  return Object.hasOwn(STRESS_SHIFT, stem) || ATE.has(stem) || MENT.has(stem);
}

function bySense(
  word: string,
  used: 'verb' | 'noun' | undefined,
  entry: (word: string) => readonly Phone[],
): readonly Phone[] | undefined {
  const shift = Object.hasOwn(STRESS_SHIFT, word) ? STRESS_SHIFT[word]! : undefined;
  if (shift) return phones((used ?? shift[2] ?? 'noun') === 'verb' ? shift[1] : shift[0]);
  if (ATE.has(word))
    return withEnding(
      entry(word),
      (used ?? (ATE_USUALLY_VERB.has(word) ? 'verb' : 'noun')) === 'verb' ? 'EY2 T' : 'AH0 T',
      2,
    );
  if (MENT.has(word))
    return withEnding(
      entry(word),
      (used ?? (MENT_USUALLY_VERB.has(word) ? 'verb' : 'noun')) === 'verb' ? 'EH2 N T' : 'AH0 N T',
      3,
    );
  return undefined;
}

function withEnding(entry: readonly Phone[], ending: string, length: number): Phone[] {
  return [...entry.slice(0, -length), ...phones(ending)];
}

function singular(word: string): string {
  const stem = word.slice(0, -1);
  return word.endsWith('sses') ? word.slice(0, -2) : stem;
}

function map(text: string | undefined): Phone[] | undefined {
  return text === undefined ? undefined : phones(text);
}

/** Whether a word like this stands within a dozen words. */
function near({ words }: Context, at: number, pattern: RegExp): boolean {
  return words
    .slice(Math.max(0, at - PAST_NEAR), at + PAST_NEAR)
    .some((word, index) => index !== Math.min(at, PAST_NEAR) && pattern.test(word));
}

/** Whether `wind` is what one does with a clock or a road does through hills. */
function isTurning(context: Context, at: number): boolean {
  const next = after(context, at) ?? '';
  if (/^(?:turbines?|power|speed|farms?|energy|chill|instruments?|is|was|blew|blows|and)$/.test(next)) return false;
  if (usedAs(context, at) === 'verb') return true;
  return /^(?:up|its|around|through|down)$/.test(next) && !isDeterminer(before(context, at).word);
}
