// Fitted with `npm run benchmark keywords`.
/** Added to the log probability of each further token of a keyword. */
const BONUS_PER_TOKEN = 2.5;
/** Bonus of the first token, which is often another word's too. */
const FIRST_BONUS = 2;
/** Maximum total bonus of a keyword: long ones would otherwise win over what was said. */
const MAX_BONUS = 10;

/** A node of the prefix tree over the keywords' tokens. */
interface Node {
  readonly children: Map<number, Node>;
  /** A keyword ends here. */
  isEnd: boolean;
  /** Sum of the bonuses of the tokens down to here. */
  readonly bonus: number;
  /** The part of the bonus that belongs to a shorter keyword on the way here. */
  kept: number;
}

/** Progress of a hypothesis within a keyword. */
export interface BiasState {
  readonly node: Node;
  /** Bonus of the keywords that it holds, and of the tokens of one that it has begun. */
  readonly bonus: number;
}

/**
 * Contextual biasing by shallow fusion: a prefix tree over the tokens of keywords raises the scores of hypotheses that
 * spell one (Zhao et al. 2019, https://www.isca-archive.org/interspeech_2019/zhao19d_interspeech.html). A hypothesis that
 * leaves a keyword before its end, or continues its last word, loses what it gained.
 */
export class KeywordBias {
  readonly #root: Node = { children: new Map(), isEnd: false, bonus: 0, kept: 0 };
  readonly #continuesWord: (before: number, token: number) => boolean;

  /**
   * @param keywords tokens of each, with those of its leading space
   * @param continuesWord whether a token continues the word of the token before it
   */
  constructor(keywords: Iterable<readonly number[]>, continuesWord: (before: number, token: number) => boolean) {
    this.#continuesWord = continuesWord;
    const added = [...keywords];
    for (const tokens of added) this.#add(tokens);
    // Needs all ends, so it follows all additions.
    for (const tokens of added) this.#markKept(tokens);
  }

  /** The state of an empty hypothesis. */
  get start(): BiasState {
    return { node: this.#root, bonus: 0 };
  }

  /** Tokens that begin or continue a keyword. */
  *candidates({ node }: BiasState): Generator<number> {
    yield* this.#root.children.keys();
    if (node !== this.#root) yield* node.children.keys();
  }

  /** The state after one more token. @param before the token before it, if any */
  next(state: BiasState, token: number, before: number | undefined): BiasState {
    const { node } = state;
    const continued = node.children.get(token);
    if (continued) return { node: continued, bonus: state.bonus + continued.bonus - node.bonus };
    const bonus = state.bonus - node.bonus + this.#keptBonus(node, token, before);
    const begun = this.#root.children.get(token) ?? this.#root;
    return { node: begun, bonus: bonus + begun.bonus };
  }

  /** The bonus of a hypothesis that ends here. */
  final({ node, bonus }: BiasState): number {
    return node.isEnd ? bonus : bonus - node.bonus + node.kept;
  }

  /** The bonus of all keywords in a transcript. */
  bonusOf(tokens: readonly number[]): number {
    let state = this.start;
    for (const [index, token] of tokens.entries()) state = this.next(state, token, tokens[index - 1]);
    return this.final(state);
  }

  /** What remains of a node's bonus if `token` follows it. */
  #keptBonus({ isEnd, bonus, kept }: Node, token: number, before: number | undefined): number {
    const isWhole = isEnd && (before === undefined || !this.#continuesWord(before, token));
    return isWhole ? bonus : kept;
  }

  #add(tokens: readonly number[]): void {
    let node = this.#root;
    for (const token of tokens) {
      let child = node.children.get(token);
      if (!child) {
        const bonus = Math.min(MAX_BONUS, node.bonus + (node === this.#root ? FIRST_BONUS : BONUS_PER_TOKEN));
        child = { children: new Map(), isEnd: false, bonus, kept: 0 };
        node.children.set(token, child);
      }
      node = child;
    }
    node.isEnd = true;
  }

  #markKept(tokens: readonly number[]): void {
    let node = this.#root;
    tokens.forEach((token, index) => {
      const child = node.children.get(token)!;
      child.kept = this.#keptBonus(node, token, tokens[index - 1]);
      node = child;
    });
  }
}
