import { matchAt } from '../../patterns.ts';
import { cardinal } from './numbers.ts';
import type { Context, Match } from './rule.ts';

const pieces: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };
/** `Nf3`, `Nbd7`, `Rxe8+`, `exd5`, `e8=Q#`, without what follows the square. */
const square = '[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8]';
const move = /([KQRBN])?([a-h])?([1-8])?(x)?([a-h])([1-8])(?:=([QRBN]))?([+#])?(?![\p{L}\d])/uy;
const castling = /O-O(-O)?([+#])?(?![\p{L}\d-])/uy;
/** What only games of chess write: a capture or a check, castling, or a number and a move. */
const game = new RegExp(
  String.raw`(?<![\p{L}\d])(?:[KQRBN][a-h]?[1-8]?x[a-h][1-8]|[a-h]x[a-h][1-8]|[KQRBN][a-h][1-8][+#]|O-O-O|\d{1,3}\.{1,3}\s?(?:${square}|O-O))(?![\p{L}\d])|(?<!\p{L})(?:chess|checkmate|knights?|bishops?|rooks?|pawns?|gambit|castl(?:e|es|ed|ing))(?!\p{L})`,
  'u',
);

const moveAlone = new RegExp(`^(?:${square}|O-O.{0,3})$`);

/** Whether a number and its full stop precede a move: `1. e4 e5 2. Nf3`. @param next the word that follows */
export function isMoveNext(word: string, next: string): boolean {
  return /^\d{1,3}$/.test(word) && moveAlone.test(next);
}

/** A move of chess: `Nf3`, `Qxd5+`, `O-O`. A pawn's move is read as any name of a letter and a number. */
export function matchMove({ text, index }: Context): Match | undefined {
  if (!/[KQRBNa-hO]/.test(text[index]!) || /[\p{L}\d/-]/u.test(text[index - 1] ?? '')) return undefined;
  const [castled, isLong, castledCheck] = (text[index] === 'O' && matchAt(castling, text, index)) || [];
  if (castled && (isLong || game.test(text.replaceAll(castled, '')))) {
    return {
      end: index + castled.length,
      words: `castles ${isLong ? 'queenside' : 'kingside'}${announced(castledCheck)}`,
    };
  }
  const [all, piece, file, rank, takes, to = '', toRank = '', promoted, check] = matchAt(move, text, index) ?? [];
  if (all === undefined || (!piece && !takes) || !game.test(text)) return undefined;
  const words = [
    piece && pieces[piece],
    file?.toUpperCase(),
    rank && cardinal(rank),
    takes && 'takes',
    to.toUpperCase(),
    cardinal(toRank),
    promoted && pieces[promoted],
  ];
  return { end: index + all.length, words: words.filter(Boolean).join(' ') + announced(check) };
}

function announced(check: string | undefined): string {
  return check === undefined ? '' : check === '#' ? ' mate' : ' check';
}
