import { wordSet } from '../../patterns.ts';
import { type Phone, parsePhones } from './arpabet.ts';
import { type Use, usedAs } from './verb-or-noun.ts';
import { after, before, type Context, isBe, isDeterminer, isModal, PRONOUNS } from './word-classes.ts';

/** The phones of a word by its context; undefined if those of the dictionary are right. */
type Rule = (word: WordInContext) => string | undefined;

const PAST_WORDS =
  /^(?:yesterday|ago|last|once|earlier|previously|was|were|had|did|said|knew|thought|went|came|took|found|told|saw|wrote|felt|gave)$/;
/** Words after `read` in the past tense: `I read somewhere that`. */
const READ_ONCE = /^(?:a|an|one|some|somewhere|recently|about|through|it|this|your|his|her|their)$/;
/** Nouns that `live` describes: a show, not a person. */
const LIVE_THINGS =
  /^(?:music|shows?|concerts?|performances?|streams?|streaming|tv|television|audiences?|bands?|entertainment|animals?|bait|wires?|ammunition|ammo|rounds?|broadcasts?|coverage|updates?|feeds?|blogs?|events?|recordings?|albums?|versions?|chats?|demos?|sessions?|sports?|theat(?:er|re)|births?|loads?|data|traffic|cattle|prey|plants?|oaks?|bees|debates?|interviews?|webcasts?|webinars?|transcription|captions?|video|audio|calls?|action|acts?|dealers?|casino|poker|translation|subtitles?|online|wallpapers?|photos?|rocks?|sand|foods?|pinkies|feeders?|insects?|scallops?|lobsters?|crickets?|mice|fish|shrimp|worms?|colou?r|commentary|deals?|bullets?|virus(?:es)?|vaccines?|cultures?|yeast|fire|exercise|ones?)$/;
const ON_AIR =
  /^(?:go|goes|going|gone|went|broadcast|televised|streamed|streaming|shown|aired|recorded|performed|perform|performing|watch|watched|seen?|sing|sang|play|playing|played|reporting|coming|join|hear|heard)$/;
/** Words on each side that `isNear` looks at. */
const NEAR = 12;

/** A word with the context that rules use; neighbours end at a pause, and `previous` skips adverbs. */
class WordInContext {
  readonly #context: Context;
  readonly #index: number;

  constructor(context: Context, index: number) {
    this.#context = context;
    this.#index = index;
  }

  get written(): string {
    return this.#context.written[this.#index]!;
  }

  get isFirst(): boolean {
    return this.#index === 0;
  }

  get previous(): string | undefined {
    return before(this.#context, this.#index).word;
  }

  get next(): string | undefined {
    return after(this.#context, this.#index);
  }

  get use(): Use | undefined {
    return usedAs(this.#context, this.#index);
  }

  /** The word some places away, beyond pauses too. */
  at(offset: number): string | undefined {
    return this.#context.words[this.#index + offset];
  }

  /** The word some places before `previous`. */
  beforePrevious(offset: number): string | undefined {
    return this.#context.words[before(this.#context, this.#index).index - offset];
  }

  /** Whether a word fits the pattern within a dozen words before. */
  isAfter(pattern: RegExp): boolean {
    return this.#context.words.slice(Math.max(0, this.#index - NEAR), this.#index).some((word) => pattern.test(word));
  }

  /** Whether a word fits the pattern within a dozen words before or after. */
  isNear(pattern: RegExp): boolean {
    const { words } = this.#context;
    return this.isAfter(pattern) || words.slice(this.#index + 1, this.#index + NEAR).some((word) => pattern.test(word));
  }
}

const RULES: Readonly<Record<string, Rule>> = {
  read: (word) => {
    const { previous } = word;
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
    const governor = word.beforePrevious(1);
    // A banner that read; those that read.
    if (previous === 'that') return /[^s]s$|^(?:those|people)$/.test(governor ?? '') ? present : past;
    if (isModal(previous) || isDeterminer(previous) || previous === 'as') return present;
    if (isModal(governor) || isModal(word.beforePrevious(2))) return present;
    if (/^(?:has|have|had)$/.test(governor ?? '')) return past;
    if (/^an?$/.test(governor ?? '') && word.next === undefined) return present;
    if (/^(?:he|she|it|which)$/.test(previous) || isDeterminer(governor))
      return /s$/.test(previous) && previous.length > 3 ? present : past;
    if (
      previous === 'i' &&
      READ_ONCE.test(word.next ?? '') &&
      !word.isNear(/^(?:if|whenever|every|usually|always|often|sometimes|when)$/)
    )
      return past;
    return word.isNear(PAST_WORDS) || word.isAfter(/^(?!used$).*[^e]ed$/) ? past : present;
  },
  produce: (word) =>
    (word.use === 'noun' && !isModal(word.previous)) ||
    /^(?:fresh|farm|local|organic|seasonal|frozen|raw|garden|quality|washed|exotic|tropical)$/.test(word.previous ?? '')
      ? 'P R OW1 D UW2 S'
      : 'P R AH0 D UW1 S',
  lead: (word) => {
    const { next = '' } = word;
    const { previous = '' } = word;
    const metal =
      /^(?:pipes?|paint|poisoning|pencils?|acid|batter(?:y|ies)|bullets?|shot|levels|exposure|ore|sulfide|weights?|contamination|solder|glass)$/.test(
        next,
      ) ||
      (/^(?:of|with|contains?|containing|like|molten|and|from)$/.test(previous) &&
        word.isNear(
          /^(?:metals?|pipes?|zinc|mercury|copper|tin|iron|silver|paint|toxic|heavy|molten|made|balloon|poison|gold|contains?)$/,
        ));
    return metal ? 'L EH1 D' : 'L IY1 D';
  },
  live: (word) => {
    const { next = '', previous = '' } = word;
    if (word.use === 'verb') return 'L IH1 V';
    const isThing =
      isBe(previous) ||
      ON_AIR.test(previous) ||
      LIVE_THINGS.test(next) ||
      (LIVE_THINGS.test(word.at(2) ?? '') && /^(?:of|all|feed|offer)$/.test(previous)) ||
      (next === 'and' && previous === 'both') ||
      previous === 'something' ||
      (next === 'on' &&
        /^(?:tv|television|air|stage|camera|radio|national|youtube|facebook|twitch)$/.test(word.at(2) ?? '')) ||
      (isDeterminer(previous) && !/^(?:that|which|this|these|those|what|such)$/.test(previous)) ||
      (/^L/.test(word.written) && (!word.isFirst || next === 'from'));
    return isThing ? 'L AY1 V' : 'L IH1 V';
  },
  lives: (word) => {
    const { previous = '' } = word;
    const { next = '' } = word;
    if (/^(?:he|she|it|who|that|one|everyone|nobody)$/.test(previous)) return 'L IH1 V Z';
    if (word.use === 'noun' && !/^(?:in|at|with|near|on|here|there)$/.test(next)) return 'L AY1 V Z';
    if (
      isDeterminer(previous) ||
      previous === 'of' ||
      /^(?:many|two|three|nine|people's|daily|whole|own)$/.test(previous)
    )
      return 'L AY1 V Z';
    return /^(?:in|at|with|near|on|here|there|alone|by|under|next)$/.test(next) ? 'L IH1 V Z' : 'L AY1 V Z';
  },
  use: (word) => {
    const { previous = '', use } = word;
    if (use === 'verb') return 'Y UW1 Z';
    const isKind =
      /^(?:of|in|make|making|makes|made|for|any|no|into|by|fair|daily|good|its|drug|land|energy|water|personal|business|commercial|public|private|domestic|internal|game|electricity|alcohol|tobacco|substance|phone|internet|computer|media|language|muscle|heavy|much|little|general|everyday|household|medical|recreational|illegal|multiple|single|further|future|regular|frequent|excessive|widespread|common|actual|safe|proper|improper|best|better|free|appropriate|limited|full|current|continued|increased|extensive|effective|efficient|practical|military|civilian|force|fuel|resource|time|space)$/.test(
        previous,
      );
    if (isKind) return 'Y UW1 S';
    return use === 'noun' || (use === undefined && word.next === 'of') ? 'Y UW1 S' : 'Y UW1 Z';
  },
  uses: (word) =>
    word.use === 'noun' || /^(?:many|several|various|other|its)$/.test(word.previous ?? '')
      ? 'Y UW1 S AH0 Z'
      : 'Y UW1 Z AH0 Z',
  used: (word) => {
    if (word.next !== 'to') return 'Y UW1 Z D';
    const { previous } = word;
    const object = word.at(2) ?? '';
    // `is used to make` is the tool, `is used to it` the habit.
    const tool =
      (isBe(previous) || previous === undefined) &&
      !isDeterminer(object) &&
      !/ing$|^(?:it|him|them|me|you|us|being)$/.test(object);
    return tool ? 'Y UW1 Z D' : 'Y UW1 S T';
  },
  wind: (word) => (isTurning(word) ? 'W AY1 N D' : 'W IH1 N D'),
  winds: (word) =>
    /^(?:it|he|she|road|river|path|trail|which|that)$/.test(word.previous ?? '') ||
    /^(?:up|through|its|around|down)$/.test(word.next ?? '')
      ? 'W AY1 N D Z'
      : 'W IH1 N D Z',
  wound: (word) => {
    const { previous } = word;
    const { next = '' } = word;
    if (/^(?:up|around|down|through|tightly|tight|back|round)$/.test(next)) return 'W AW1 N D';
    const turned =
      previous !== undefined &&
      (PRONOUNS.has(previous) || previous === 'had' || previous === 'has') &&
      /^(?:the|his|her|its|it|their|my)$/.test(next);
    return turned && !word.isNear(/^(?:knife|sword|bullet|arrow)$/) ? 'W AW1 N D' : 'W UW1 N D';
  },
  tear: (word) => {
    const { next = '' } = word;
    const { previous = '' } = word;
    const isWept =
      next === 'in' && word.isNear(/^(?:eyes?|cheeks?|face|voice|cry|cried|crying|wept|sad|sadness|grief|joy)$/);
    const torn =
      !isWept &&
      (word.use === 'verb' || /^(?:up|down|apart|off|in|through|along|resistant)$/.test(next) || previous === 'and');
    return torn && !/^(?:gas|drops?|ducts?)$/.test(next) ? 'T EH1 R' : 'T IH1 R';
  },
  tears: (word) =>
    /^(?:up|apart|down|the|off|a|it|him|her|his|through)$/.test(word.next ?? '') &&
    !/^(?:in|of|with|to|into|my|your|his|her|their|the)$/.test(word.previous ?? '')
      ? 'T EH1 R Z'
      : 'T IH1 R Z',
  close: (word) => {
    const { previous = '', next } = word;
    // The close of business, thirty minutes before close.
    if (next === 'of' && (isDeterminer(previous) || /^(?:|for|at|by|before|until|since)$/.test(previous)))
      return 'K L OW1 Z';
    if (next === undefined && /^(?:before|after|until|at|market|trading|financial)$/.test(previous)) return 'K L OW1 Z';
    if (
      next === 'to' ||
      isBe(previous) ||
      /^(?:so|very|too|as|how|stay|get|got|come|came|stand|keep|up|quite|pretty)$/.test(previous)
    )
      return 'K L OW1 S';
    return word.use === 'verb' ||
      (word.isFirst &&
        next !== undefined &&
        !/^(?:up|by|call|encounters?|friends?|behind|contact|attention|in|together|enough|relatives?|collaboration)$/.test(
          next,
        ))
      ? 'K L OW1 Z'
      : 'K L OW1 S';
  },
  bow: (word) => {
    const { next = '' } = word;
    const bent =
      word.use === 'verb' ||
      /^(?:down|out|before)$/.test(next) ||
      word.isNear(/^(?:ship|ship's|boat|boat's|stern|deck|hull|vessel|audience|applause|took|takes?|taking)$/);
    return bent && !/^(?:and|ties?|tie|string|hunting)$/.test(next) ? 'B AW1' : 'B OW1';
  },
  row: (word) => {
    const quarrel =
      /^(?:blazing|furious|heated|blistering)$/.test(word.previous ?? '') ||
      /^(?:erupted|broke)$/.test(word.next ?? '');
    return quarrel ? 'R AW1' : 'R OW1';
  },
  bass: (word) =>
    /^(?:fish|fishing|lake|boat|population)$/.test(word.next ?? '') ||
    /^(?:sea|largemouth|smallmouth|striped|grilled|fresh)$/.test(word.previous ?? '') ||
    word.isNear(/^(?:caught|fish|fishing|trout|lake|river|fisherman|fillets?)$/)
      ? 'B AE1 S'
      : 'B EY1 S',
  dove: (word) => {
    const { previous } = word;
    const dived = /^(?:into|in|off|down|under|deep|headfirst|for|right|straight|from|beneath|head)$/.test(
      word.next ?? '',
    );
    return dived && previous !== undefined && !isDeterminer(previous) ? 'D OW1 V' : 'D AH1 V';
  },
  does: (word) =>
    /^(?:the|two|three|several|and)$/.test(word.previous ?? '') && word.isNear(/^(?:bucks?|stags?|deer|fawns?)$/)
      ? 'D OW1 Z'
      : 'D AH1 Z',
  sewer: (word) =>
    /^(?:skilled|expert|experienced|talented|home)$/.test(word.previous ?? '') ? 'S OW1 ER0' : 'S UW1 ER0',
  polish: (word) => {
    const capital = /^P/.test(word.written);
    if (!capital) return 'P AA1 L IH0 SH';
    const opening = word.isFirst;
    return opening && word.use === 'verb' ? 'P AA1 L IH0 SH' : 'P OW1 L IH0 SH';
  },
  reading: (word) =>
    word.written === 'Reading' && /^(?:in|to|from|near|at|of)$/.test(word.previous ?? '')
      ? 'R EH1 D IH0 NG'
      : 'R IY1 D IH0 NG',
  resume: (word) => {
    if (/é/.test(word.written)) return 'R EH1 Z AH0 M EY2';
    return word.use === 'noun' ? 'R EH1 Z AH0 M EY2' : 'R IH0 Z UW1 M';
  },
  resumes: (word) => (/é/.test(word.written) || word.use === 'noun' ? 'R EH1 Z AH0 M EY2 Z' : 'R IH0 Z UW1 M Z'),
  minute: (word) => {
    const tiny =
      /^(?:details?|amounts?|quantit(?:y|ies)|particles?|differences?|traces?|fraction|changes|variations|organisms?|hole|pieces?|steps|grains?|specks?)$/.test(
        word.next ?? '',
      ) || /^(?:very|so|extremely|most|too)$/.test(word.at(-1) ?? '');
    return tiny ? 'M AY0 N UW1 T' : 'M IH1 N AH0 T';
  },
  invalid: (word) => {
    const { next } = word;
    const person =
      isDeterminer(word.previous) && (next === undefined || /^(?:was|is|who|and|for|in|had|lay|sat)$/.test(next));
    return person ? 'IH1 N V AH0 L IH0 D' : 'IH0 N V AE1 L IH0 D';
  },
  content: (word) => {
    const { previous } = word;
    const pleased =
      (isBe(previous) || /^(?:feel|felt|seem|seemed|perfectly|quite|remain)$/.test(previous ?? '')) &&
      !/^(?:is|are|was)$/.test(word.next ?? '');
    return pleased || word.next === 'with' ? 'K AH0 N T EH1 N T' : 'K AA1 N T EH0 N T';
  },
  contents: () => 'K AA1 N T EH0 N T S',
  learned: (word) =>
    /^(?:man|men|woman|scholars?|professor|friend|colleague|counsel|societ(?:y|ies)|judge|people|gentleman)$/.test(
      word.next ?? '',
    )
      ? 'L ER1 N IH0 D'
      : 'L ER1 N D',
  aged: (word) => {
    const { next } = word;
    return (isDeterminer(word.previous) &&
      (next === undefined || !/^(?:cheese|beef|wine|whiskey|rum|balsamic)$/.test(next))) ||
      /^(?:parents?|mother|father|relatives?|man|woman|care)$/.test(next ?? '')
      ? 'EY1 JH IH0 D'
      : 'EY1 JH D';
  },
  blessed: (word) =>
    /^(?:virgin|event|be|are|sacrament|relief|assurance|trinity)$/.test(word.next ?? '')
      ? 'B L EH1 S IH0 D'
      : 'B L EH1 S T',
  beloved: (word) => (isBe(word.previous) || word.next === 'by' ? 'B IH0 L AH1 V D' : 'B IH0 L AH1 V IH0 D'),
  crooked: () => 'K R UH1 K IH0 D',
  dogged: (word) => (word.use === 'noun' ? 'D AO1 G IH0 D' : 'D AO1 G D'),
  buffet: (word) => (word.use === 'verb' ? 'B AH1 F AH0 T' : 'B AH0 F EY1'),
  closer: (word) => (isDeterminer(word.previous) && word.next === undefined ? 'K L OW1 Z ER0' : 'K L OW1 S ER0'),
  axes: () => 'AE1 K S IY2 Z',
  bases: (word) =>
    /^(?:military|army|naval|air|all|loaded|touch|data)$/.test(word.previous ?? '') ? 'B EY1 S AH0 Z' : 'B EY1 S IY2 Z',
  abuse: (word) => (word.use === 'verb' ? 'AH0 B Y UW1 Z' : 'AH0 B Y UW1 S'),
  affect: (word) => (isMood(word) ? 'AE1 F EH2 K T' : 'AH0 F EH1 K T'),
  affects: (word) => (isMood(word) ? 'AE1 F EH2 K T S' : 'AH0 F EH1 K T S'),
  combines: (word) => (isDeterminer(word.previous) ? 'K AA1 M B AY2 N Z' : 'K AH0 M B AY1 N Z'),
  consist: () => 'K AH0 N S IH1 S T',
  consists: () => 'K AH0 N S IH1 S T S',
  estimates: (word) => (word.use === 'verb' ? 'EH1 S T AH0 M EY2 T S' : 'EH1 S T AH0 M AH0 T S'),
  progresses: () => 'P R AH0 G R EH1 S AH0 Z',
  extract: (word) =>
    word.use === 'verb' || (word.isFirst && word.use !== 'noun') ? 'IH0 K S T R AE1 K T' : 'EH1 K S T R AE2 K T',
  analyses: (word) => (word.use === 'verb' ? 'AE1 N AH0 L AY2 Z AH0 Z' : 'AH0 N AE1 L AH0 S IY2 Z'),
};

/** Whether `affect` is the noun of psychology: flat affect. */
function isMood(word: WordInContext): boolean {
  return /^(?:flat|blunted|positive|negative|restricted|labile|congruent|incongruent|core)$/.test(word.previous ?? '');
}

/** Whether `wind` is the verb: a clock winds, a road winds through hills. */
function isTurning(word: WordInContext): boolean {
  const { next = '' } = word;
  if (/^(?:turbines?|power|speed|farms?|energy|chill|instruments?|is|was|blew|blows|and)$/.test(next)) return false;
  if (word.use === 'verb') return true;
  return /^(?:up|its|around|through|down)$/.test(next) && !isDeterminer(word.previous);
}

/** Words whose senses are the same part of speech. */
const SAME_PART_OF_SPEECH = wordSet('lead bow row bass does sewer polish resume resumes bases');
/** Words that the rules tell apart better than a part of speech does. */
const BETTER_BY_RULE = wordSet(
  'read lives live use used wind winds wound tear tears close closer dove reading minute content learned abuse affect affects combines consist consists estimates progresses extract produce',
);

/** Whether the rules for a word, in lower case, decide better than a lexicon with parts of speech. */
export function prefersRules(word: string): boolean {
  return SAME_PART_OF_SPEECH.has(word) || BETTER_BY_RULE.has(word);
}

/** Whether there is a rule for the word, in lower case. */
export function hasRule(word: string): boolean {
  return Object.hasOwn(RULES, word);
}

/** Phones of the word at `index` by its own rule. */
export function byRule(context: Context, index: number): Phone[] | undefined {
  const phones = RULES[context.words[index]!]!(new WordInContext(context, index));
  return phones === undefined ? undefined : parsePhones(phones.split(' '));
}
