// Pick up sticks as a game of boardgame.io: a player takes one to three sticks, one after the other,
// and ends the turn with an event. The player who takes the last stick wins.

export default {
  setup: () => ({ sticks: 9 }),
  turn: { minMoves: 1, maxMoves: 3 },
  moves: { take: ({ G }) => ({ sticks: G.sticks - 1 }) },
  endIf: ({ G, ctx }) => (G.sticks === 0 ? { winner: ctx.currentPlayer } : undefined),
  ai: {
    enumerate: (G, ctx) => [{ move: 'take' }, ...(ctx.numMoves > 0 ? [{ event: 'endTurn' }] : [])],
  },
};

export const plyfit = {
  version: '2',
  board: { rows: 1, columns: 9, symbols: '.|' },
  terms: ['left-modulo-4'],
  cells: (G) => '|'.repeat(G.sticks).padEnd(9, '.'),
  values: (G, ctx) => [(G.sticks % 4) * (ctx.currentPlayer === '0' ? 1 : -1)],
};
