// Tic-tac-toe as a game of boardgame.io, with a board for plyfit.

const LINES = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line]);

export const TicTacToe = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return 'INVALID_MOVE';
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    const owns = (line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer);
    if (LINES.some(owns)) return { winner: ctx.currentPlayer };
    if (!G.cells.includes(null)) return { draw: true };
  },
  ai: {
    enumerate: () => [...Array(9).keys()].map((cell) => ({ move: 'mark', args: [cell] })),
  },
};

export const plyfit = {
  max_plies: 9,
  board: { rows: 3, columns: 3, symbols: '.xo', swap: '.ox', symmetries: ['columns', 'diagonal'] },
  cells: (G) => G.cells.map((owner) => ({ 0: 'x', 1: 'o' })[owner] ?? '.').join(''),
};
