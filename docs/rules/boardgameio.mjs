// Games of boardgame.io for plyfit: rules:cmd=(node boardgameio.mjs GAME.mjs)
//
// GAME.mjs exports a game that defines ai.enumerate, has no secrets and no dice, and lets one
// player act at a time. boardgame.io has no notion of a board, so the module also exports an object
// named plyfit. Its keys replace the keys of the description below. Three functions are special:
//
//   cells(G, ctx)    the board, needed if there is a key board
//   values(G, ctx)   the values of the terms, needed if there is a key terms
//   utility(G, ctx)  each player's utility at the end, if gameover is neither {winner} nor {draw}

import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

process.env.NODE_ENV = 'production'; // boardgame.io then prints less
console.log = console.error = () => {}; // it reports each invalid move that a game lists

const path = resolve(process.argv[2]);
const module = await import(pathToFileURL(path));
const game = { ...Object.values(module).find((value) => value?.ai?.enumerate), disableUndo: true };
const { plyfit } = module;
const { CreateGameReducer, InitializeGame } = createRequire(path)('boardgame.io/internal');
if (!game.ai || !plyfit) throw Error(`${path}: want a game with ai.enumerate and an object plyfit`);
if (game.playerView) throw Error(`${path}: playerView: want a game without secrets`);

const description = {
  protocol: 1,
  name: basename(path).replace(/\.\w+$/, '').toLowerCase(),
  version: '1',
  players: 2,
  min: -1,
  max: 1,
  sum: (plyfit.players ?? 2) === 2 ? 'zero' : 'general',
  max_plies: 1000,
  ...plyfit, // JSON.stringify omits its functions
};
const reduce = CreateGameReducer({ game });
const initial = InitializeGame({ game, numPlayers: description.players });

// canonical sorts the keys of all objects, so that equal states have equal texts.
const canonical = (key, value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

// format writes G and those parts of ctx that have changed since the start of the game.
function format({ G, ctx }) {
  const changed = Object.entries(ctx).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(initial.ctx[key]),
  );
  return JSON.stringify([G, Object.fromEntries(changed)], canonical).replaceAll('~', '\\u007e');
}

function parse(text) {
  if (text === '') return initial;
  const [G, changed] = JSON.parse(text);
  return { ...initial, G, ctx: { ...initial.ctx, ...changed } };
}

// utility returns each player's utility at the end of the game.
function utility(G, ctx) {
  const { winner, draw } = ctx.gameover;
  if (plyfit.utility) return plyfit.utility(G, ctx);
  if (winner === undefined && !draw) throw Error('gameover is neither {winner} nor {draw}');
  return ctx.playOrder.map((_, player) => (draw ? 0 : player === Number(winner) ? 1 : -1));
}

// active returns the player who must act.
function active({ activePlayers, currentPlayer }) {
  const [player, another] = activePlayers ? Object.keys(activePlayers) : [currentPlayer];
  if (another) throw Error('several players are active; want one at a time');
  return player;
}

function view(state) {
  const { G, ctx } = state;
  const over = ctx.gameover !== undefined;
  return {
    position: format(state),
    turn: over ? 'over' : Number(active(ctx)),
    cells: plyfit.cells?.(G, ctx),
    terms: plyfit.values?.(G, ctx),
    utility: over ? utility(G, ctx) : undefined,
  };
}

function describe(text) {
  const state = parse(text);
  const answer = view(state);
  if (answer.turn === 'over') return answer;
  Object.assign(answer, { moves: [], after: [] });
  const playerID = active(state.ctx);
  for (const action of game.ai.enumerate(state.G, state.ctx, playerID)) {
    const { type, args = [] } = action.payload ?? { ...action, type: action.move ?? action.event };
    const kind = action.type ?? (action.move ? 'MAKE_MOVE' : 'GAME_EVENT');
    const next = reduce(state, { type: kind, payload: { type, args, playerID } });
    if (next._stateID === state._stateID) continue; // the move is invalid
    if (JSON.stringify(next.plugins.random) !== JSON.stringify(initial.plugins.random)) {
      throw Error(`${type}: the move is random; want a game without dice`);
    }
    const words = [type, ...args.map((arg) => JSON.stringify(arg))];
    answer.moves.push(words.join('-').replace(/[\s~]/g, '_'));
    answer.after.push(view(next));
  }
  return answer;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, positions } = JSON.parse(line);
  const answers = positions?.map((text) => {
    try {
      return describe(text);
    } catch (error) {
      return { error: error.message };
    }
  });
  process.stdout.write(JSON.stringify(answers ? { id, answers } : { id, ...description }) + '\n');
}
