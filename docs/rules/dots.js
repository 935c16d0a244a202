// Dots and boxes for plyfit: rules:cmd=(node dots.js 2)
//
// The argument is the number of boxes per side (1 to 5; default 2). Players
// draw lines in turn. A player who completes a box owns it and moves again. The
// utility is the difference in boxes, so a clear win is worth more than a close one.
//
// The cells of the board alternate: dots and lines in even rows, lines and
// boxes in odd rows. A position consists of the cells and the player to move.

'use strict';

const boxes = Number(process.argv[2] ?? 2);
const size = 2 * boxes + 1;
const all = [...Array(size * size).keys()];
const isBox = (cell) => Math.floor(cell / size) % 2 === 1 && (cell % size) % 2 === 1;
const isLine = (cell) => cell % 2 === 1; // size is odd, so the parities alternate
const isDot = (cell) => !isLine(cell) && !isBox(cell);
const lineCells = all.filter(isLine);
const boxCells = all.filter(isBox);
const around = (box) => [box - size, box - 1, box + 1, box + size];
const name = (cell) => 'abcdefghijk'[cell % size] + (size - Math.floor(cell / size));

const EMPTY = '.', LINE = '#', OWNED = 'ox'; // OWNED[player] marks a box
const start = EMPTY.repeat(size * size) + ' 0';

const game = {
  protocol: 1,
  name: `dots-${boxes}`,
  version: '1',
  players: 2,
  min: -boxes * boxes,
  max: boxes * boxes,
  sum: 'zero',
  max_plies: 2 * boxes * (boxes + 1), // the number of lines
  scores: true,
  board: {
    rows: size,
    columns: size,
    symbols: '.#ox',
    holes: all.filter(isDot),
    swap: '.#xo',
    symmetries: ['columns', 'diagonal'],
  },
  terms: ['boxes', 'takeable'],
  weights: [1, 0.5],
};

// drawn returns the number of lines around a box.
const drawn = (cells, box) => around(box).filter((cell) => cells[cell] === LINE).length;

// view returns the keys that every position has.
function view(cells, player) {
  const scores = [0, 1].map((p) => cells.filter((c) => c === OWNED[p]).length);
  const lead = scores[0] - scores[1];
  const over = lineCells.every((cell) => cells[cell] === LINE);
  const takeable = boxCells.filter((box) => drawn(cells, box) === 3).length;
  const text = cells.join('');
  return {
    position: `${text} ${player}`,
    turn: over ? 'over' : player,
    cells: text,
    terms: [lead, player === 0 ? takeable : -takeable],
    scores,
    ...(over && { utility: [lead, -lead] }),
  };
}

// draw returns the view after the player to move has drawn a line.
function draw(cells, player, line) {
  const after = [...cells];
  after[line] = LINE;
  let again = false;
  for (const box of boxCells) {
    if (after[box] === EMPTY && drawn(after, box) === 4) {
      after[box] = OWNED[player];
      again = true;
    }
  }
  return view(after, again ? player : 1 - player);
}

function describe(position) {
  const [text, side, ...rest] = (position || start).split(' ');
  const cells = [...text];
  const fits = (c, cell) =>
    c === EMPTY || (isLine(cell) && c === LINE) || (isBox(cell) && OWNED.includes(c));
  if (cells.length !== size * size || !cells.every(fits) || !/^[01]$/.test(side) || rest.length) {
    return { error: `want ${size * size} cells (. # o x), a space and the player to move (0 or 1)` };
  }
  const player = Number(side);
  const answer = view(cells, player);
  if (answer.turn !== 'over') {
    const lines = lineCells.filter((cell) => cells[cell] === EMPTY);
    answer.moves = lines.map(name);
    answer.after = lines.map((line) => draw(cells, player, line));
  }
  return answer;
}

require('readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, positions } = JSON.parse(line);
    const answer = positions ? { id, answers: positions.map(describe) } : { id, ...game };
    process.stdout.write(JSON.stringify(answer) + '\n');
  });
