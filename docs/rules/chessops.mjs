// Chess variants of the package chessops for plyfit: rules:cmd=(node chessops.mjs VARIANT)
//
// The variants are chess, kingofthehill, racingkings, antichess, 3check, atomic and horde. A
// position is a FEN in which the number of the move is always 1. It contains the clock of the
// 50-move rule, but no history. Repetition is therefore not a draw; the clock ends such games.

import { createInterface } from 'node:readline';
import { castlingSide } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { SquareSet } from 'chessops/squareSet';
import { ROLES, RULES } from 'chessops/types';
import { kingCastlesTo, makeUci } from 'chessops/util';
import { defaultPosition, setupPosition } from 'chessops/variant';

const variant = process.argv[2];
const known = RULES.filter((name) => name !== 'crazyhouse'); // its FENs contain ~
if (!known.includes(variant)) throw Error(`variant ${variant}: want ${known.join(', ')}`);

// In horde the armies differ, and in racingkings Black may reply to White's last move.
const fair = !['horde', 'racingkings'].includes(variant);
const castles = !['antichess', 'racingkings'].includes(variant);
const promotions = ['queen', 'rook', 'bishop', 'knight'];
if (variant === 'antichess') promotions.push('king');
const terms = variant === '3check' ? [...ROLES, 'checks'] : ROLES;

const game = {
  protocol: 1,
  name: variant,
  version: '1',
  players: 2,
  min: -1,
  max: 1,
  sum: 'zero',
  max_plies: 600,
  noisy: true,
  board: {
    rows: 8,
    columns: 8,
    symbols: '.PNBRQKpnbrqk',
    ...(fair && { swap: '.pnbrqkPNBRQK', flip: 'rows' }),
    symmetries: castles ? [] : ['columns'],
  },
  terms,
};

function view(pos) {
  const fen = makeFen({ ...pos.toSetup(), fullmoves: 1 });
  const result = pos.outcome() ?? (pos.halfmoves >= 100 ? { winner: undefined } : undefined);
  const white = { white: 1, black: -1 }[result?.winner] ?? 0;
  const lead = (role) =>
    role === 'checks'
      ? pos.remainingChecks.black - pos.remainingChecks.white
      : pos.board.pieces('white', role).size() - pos.board.pieces('black', role).size();
  return {
    position: fen,
    turn: result ? 'over' : pos.turn === 'white' ? 0 : 1,
    cells: fen.split(' ')[0].replace(/\d/g, (n) => '.'.repeat(n)).replaceAll('/', ''),
    terms: terms.map(lead),
    utility: result && [white, -white], // JSON.stringify omits undefined keys
  };
}

// movesFrom yields the legal moves with all promotions.
function* movesFrom(pos) {
  for (const [from, targets] of pos.allDests()) {
    for (const to of targets) {
      const promotes = pos.board.pawn.has(from) && SquareSet.backranks().has(to);
      for (const promotion of promotes ? promotions : [undefined]) yield { from, to, promotion };
    }
  }
}

function describe(fen) {
  const pos = fen
    ? parseFen(fen).unwrap((setup) => setupPosition(variant, setup).unwrap())
    : defaultPosition(variant);
  const answer = view(pos);
  if (answer.turn === 'over') return answer;
  Object.assign(answer, { moves: [], noisy: [], after: [] });
  for (const move of movesFrom(pos)) {
    const after = pos.clone();
    after.play(move);
    const side = castlingSide(pos, move); // chessops castles with the king onto the rook
    const uci = makeUci(side ? { ...move, to: kingCastlesTo(pos.turn, side) } : move);
    const captures = after.board.occupied.size() < pos.board.occupied.size();
    answer.moves.push(uci);
    if (captures || move.promotion) answer.noisy.push(uci);
    answer.after.push(view(after));
  }
  return answer;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, positions } = JSON.parse(line);
  const answers = positions?.map((fen) => {
    try {
      return describe(fen);
    } catch (error) {
      return { error: `want the FEN of a legal position (${error.message})` };
    }
  });
  console.log(JSON.stringify(answers ? { id, answers } : { id, ...game }));
}
