/** Added to the log probability of each token of a keyword; fitted by `npm run benchmark keywords`. */
const BONUS_PER_TOKEN = Number(process.env.KB ?? 3);
/** A keyword's first token is often another word's too. */
const FIRST_BONUS = Number(process.env.KF ?? 2);
/** Sum of the bonuses of one keyword at most: long ones would win over what was said. */
const MAX_BONUS = Number(process.env.KM ?? 12);

/** A node of the prefix tree over the keywords' tokens. */
interface Node {
  readonly children: Map<number, Node>;
  /** A keyword ends here. */
  isEnd: boolean;
  /** Sum of the bonuses of the tokens down to here. */
  readonly bonus: number;
}

/** How far a hypothesis has come within a keyword. */
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
  readonly #root: Node = { children: new Map(), isEnd: false, bonus: 0 };
  readonly #continuesWord: (before: number, token: number) => boolean;

  /**
   * @param keywords tokens of each, with those of its leading space
   * @param continuesWord whether a token goes on with the word that the token before it belongs to
   */
  constructor(
    keywords: Iterable<readonly number[]>,
    continuesWord: (before: number, token: number) => boolean,
  ) {
    this.#continuesWord = continuesWord;
    for (const tokens of keywords) this.#add(tokens);
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
    const bonus = state.bonus - (node.isEnd && !this.#continuesWord(before!, token) ? 0 : node.bonus);
    const begun = this.#root.children.get(token) ?? this.#root;
    return { node: begun, bonus: bonus + begun.bonus };
  }

  /** The bonus of a hypothesis that ends here. */
  final({ node, bonus }: BiasState): number {
    return node.isEnd ? bonus : bonus - node.bonus;
  }

  #add(tokens: readonly number[]): void {
    let node = this.#root;
    for (const token of tokens) {
      let child = node.children.get(token);
      if (!child) {
        const bonus = Math.min(MAX_BONUS, node.bonus + (node === this.#root ? FIRST_BONUS : BONUS_PER_TOKEN));
        child = { children: new Map(), isEnd: false, bonus };
        node.children.set(token, child);
      }
      node = child;
    }
    node.isEnd = true;
  }
}
