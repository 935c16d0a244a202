// Input on the board: clicks, keys and swipes select a move from the list that the server sends
// with the board. Everything else uses forms and htmx.
'use strict';

(function () {
  const root = new URL('..', document.currentScript.src).pathname; // a static site may be in a subfolder of its host
  let done = []; // completed chains of clicks
  let part = []; // the current chain

  const board = () => document.querySelector('.board[data-moves]');
  const movesOf = (b) => JSON.parse(b.dataset.moves);
  const key = (chain) => chain.join(' ');

  // open returns the chains of a move that have not been completed, or null if a completed chain
  // does not belong to the move.
  function open(move) {
    const rest = (move.c || []).map(key);
    for (const chain of done) {
      const at = rest.indexOf(key(chain));
      if (at < 0) return null;
      rest.splice(at, 1);
    }
    return rest.map((text) => text.split(' '));
  }

  // next returns the places that can be clicked next, and the moves whose chains are complete.
  function next(moves) {
    const places = new Set(), whole = [];
    for (const move of moves) {
      const rest = open(move);
      if (!rest || !move.c || !move.c.length) continue;
      if (!rest.length && !part.length) whole.push(move);
      for (const chain of rest) {
        if (part.every((p, i) => chain[i] === p) && chain.length > part.length) places.add(chain[part.length]);
      }
    }
    return { places, whole };
  }

  function play(b, move) {
    done = []; part = [];
    if (!b.dataset.table) { // the first move starts the game
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name: 'move', value: move.m });
      b.closest('form').append(input);
      b.closest('form').requestSubmit();
      return;
    }
    htmx.ajax('POST', root + 'tables/' + b.dataset.table + '/move', { target: '#table', values: { move: move.m, version: b.dataset.version } });
  }

  function mark() {
    const b = board();
    if (!b) return;
    const n = next(movesOf(b));
    const busy = part.length > 0 || done.length > 0;
    const picture = b.querySelector('svg');
    if (picture) picture.setAttribute('role', 'group'); // not an image, because it contains buttons
    for (const place of b.querySelectorAll('.place')) {
      const name = place.dataset.place;
      const can = n.places.has(name);
      const chosen = part.includes(name);
      place.classList.toggle('legal', can && !busy);
      place.classList.toggle('target', can && busy && !chosen);
      place.classList.toggle('chosen', chosen);
      if (can || chosen) {
        place.setAttribute('tabindex', '0');
        place.setAttribute('role', 'button');
        place.setAttribute('aria-label', name);
      } else {
        place.removeAttribute('tabindex');
      }
    }
    return n;
  }

  // choose lets the player choose among the moves that the clicks so far complete.
  function choose(b, moves) {
    const choice = document.getElementById('choice');
    choice.hidden = false;
    choice.textContent = part.length ? 'Play this, or click further: ' : 'Which one? ';
    for (const move of moves) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = move.n || move.m;
      button.addEventListener('click', () => play(b, move));
      choice.append(button);
    }
  }

  // ends reports whether the current chain is a complete chain of a move. goesOn reports whether it
  // is the beginning of a longer chain.
  const ends = (moves) => part.length > 0 && moves.some((m) => (open(m) || []).some((c) => key(c) === key(part)));
  const goesOn = (moves) => moves.some((m) => (open(m) || []).some((c) => c.length > part.length && part.every((p, i) => c[i] === p)));

  function click(name) {
    const b = board();
    if (!b) return;
    const moves = movesOf(b);
    document.getElementById('choice').hidden = true;
    if (!next(moves).places.has(name)) {
      // A new chain begins. The current chain is either complete or a mistake.
      const kept = done;
      if (ends(moves)) { done = done.concat([part]); part = []; } else part = [];
      if (!next(moves).places.has(name)) { done = kept; part = []; }
      if (!next(moves).places.has(name)) { done = []; }
      if (!next(moves).places.has(name)) { mark(); return; }
    }
    part.push(name);
    if (!ends(moves)) { mark(); return; }
    if (!goesOn(moves)) { done.push(part); part = []; }
    const n = mark();
    const chain = part;
    let whole = n.whole;
    if (chain.length) { // the chain may end here or continue
      done.push(chain); part = [];
      whole = next(moves).whole;
      done.pop(); part = chain;
    }
    if (whole.length === 1 && !chain.length && !n.places.size) play(b, whole[0]);
    else if (whole.length) choose(b, whole);
  }

  document.addEventListener('click', (e) => {
    const place = e.target.closest && e.target.closest('.place');
    if (place) { click(place.dataset.place); return; }
    const copy = e.target.closest && e.target.closest('[data-copy]');
    if (copy) { copy.select(); if (navigator.clipboard) navigator.clipboard.writeText(copy.value).catch(() => {}); }
  });

  const arrows = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', '.': 'stop', r: 'roll', h: 'hold' };
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    const place = e.target.closest && e.target.closest('.place');
    if (place && (e.key === 'Enter' || e.key === ' ')) { e.preventDefault(); click(place.dataset.place); return; }
    const b = board();
    if (e.key === 'Escape' && b) { done = []; part = []; document.getElementById('choice').hidden = true; mark(); return; }
    const button = document.querySelector('[data-key="' + CSS.escape(e.key) + '"]');
    if (button) { button.click(); return; }
    const name = arrows[e.key] || e.key;
    if (b && next(movesOf(b)).places.has(name) && (arrows[e.key] || !done.length && !part.length)) { e.preventDefault(); click(name); }
  });

  // A swipe has the effect of an arrow key if the board accepts arrow keys.
  let from = null;
  document.addEventListener('pointerdown', (e) => { from = e.target.closest && e.target.closest('.board[data-moves]') ? { x: e.clientX, y: e.clientY, place: e.target.closest('.place') } : null; });
  document.addEventListener('pointerup', (e) => {
    if (!from) return;
    const dx = e.clientX - from.x, dy = e.clientY - from.y, b = board();
    const began = from.place;
    from = null;
    if (!b || Math.max(Math.abs(dx), Math.abs(dy)) < 24) return;
    const name = Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'right' : 'left') : (dy > 0 ? 'down' : 'up');
    if (next(movesOf(b)).places.has(name)) { click(name); return; }
    // On other boards, a piece was dragged from one place to another.
    const end = document.elementsFromPoint(e.clientX, e.clientY).find((x) => x.classList && x.classList.contains('place'));
    if (began && end && began !== end) { if (!part.includes(began.dataset.place)) click(began.dataset.place); click(end.dataset.place); }
  });

  // A change in a seat's form updates the seat's agent spec.
  document.addEventListener('change', (e) => {
    const seat = e.target.closest && e.target.closest('[data-seat]');
    if (!seat || !e.target.dataset.part) return;
    const of = (name) => seat.querySelector('[data-part="' + name + '"]').value;
    const level = seat.querySelector('[data-part="level"]'), spec = seat.querySelector('input[name]');
    if (e.target === level) {
      seat.querySelector('details').open = level.value === 'other';
      if (level.value !== 'other') spec.value = level.value;
      return;
    }
    const kind = of('kind'), keys = [];
    if (!kind) return;
    if (kind !== 'random') {
      if (of('depth') && kind !== 'greedy' && kind !== 'mcts') keys.push('depth=' + of('depth'));
      if (of('time') && kind !== 'greedy') keys.push('time=' + of('time'));
      if (of('eval')) keys.push('eval=' + of('eval'));
    }
    spec.value = kind + (keys.length ? ':' + keys.join(',') : '');
    level.value = [...level.options].some((o) => o.value === spec.value) ? spec.value : 'other';
  });

  // readSeat fills the form's fields from the spec if there is a field for every key of the spec.
  function readSeat(seat) {
    const part = (name) => seat.querySelector('[data-part="' + name + '"]');
    const [, kind, keys] = /^(\w+)(?::([^()]*))?$/.exec(seat.querySelector('input[name]').value) || [];
    const pairs = keys ? keys.split(',').map((pair) => pair.split('=')) : [];
    if (!kind || ![...part('kind').options].some((o) => o.value === kind) || !pairs.every(([key]) => ['depth', 'time', 'eval'].includes(key))) return;
    part('kind').value = kind;
    for (const [key, value] of pairs) part(key).value = value;
  }
  document.addEventListener('DOMContentLoaded', () => document.querySelectorAll('[data-seat]').forEach(readSeat));

  // advise marks the best move on the board if the player wants that. A move from one place to another
  // is marked by an arrow.
  function advise() {
    const wanted = document.getElementById('show-best'), best = document.getElementById('best');
    const chains = wanted && wanted.checked && best ? best.dataset.best.split(';').map((chain) => chain.split(' ')) : [];
    for (const place of document.querySelectorAll('.board .place')) place.classList.toggle('advised', chains.some((chain) => chain.includes(place.dataset.place) && !ways[chain[0]]));
    document.querySelectorAll('.best-arrow').forEach((e) => e.remove());
    const picture = document.querySelector('.board svg');
    if (picture) chains.forEach((chain) => arrow(picture, chain));
  }

  // arrow draws an arrow through the centres of the places. If there is only one place, the arrow
  // points in the direction that the place stands for.
  const ways = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
  function arrow(picture, chain) {
    const screen = picture.getScreenCTM().inverse();
    const boxes = chain.map((name) => picture.querySelector('.place[data-place="' + CSS.escape(name) + '"]')).filter(Boolean).map((e) => e.getBoundingClientRect());
    const way = boxes.length === 1 && ways[chain[0]];
    if (boxes.length < 2 && !way) return;
    const middle = (r, by) => new DOMPoint(r.x + r.width / 2 + by * way[0], r.y + r.height / 2 + by * way[1]).matrixTransform(screen);
    const half = Math.min(boxes[0].width, boxes[0].height) * .4;
    const points = way ? [middle(boxes[0], -half), middle(boxes[0], half)] : boxes.map((r) => new DOMPoint(r.x + r.width / 2, r.y + r.height / 2).matrixTransform(screen));
    const wide = Math.min(...boxes.map((r) => Math.min(r.width, r.height))) * screen.a * (way ? .6 : 1);
    const end = points.at(-1), from = points.at(-2), length = Math.hypot(end.x - from.x, end.y - from.y) || 1;
    const x = (end.x - from.x) / length * wide, y = (end.y - from.y) / length * wide; // vector in the arrow's direction, as long as a place
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    const line = points.slice(0, -1).concat([{ x: end.x - x * .3, y: end.y - y * .3 }]).map((p) => p.x + ' ' + p.y).join('L');
    const head = [end.x - x * .35 - y * .2, end.y - y * .35 + x * .2, end.x, end.y, end.x - x * .35 + y * .2, end.y - y * .35 - x * .2];
    path.setAttribute('d', 'M' + line + 'M' + head[0] + ' ' + head[1] + 'L' + head[2] + ' ' + head[3] + 'L' + head[4] + ' ' + head[5]);
    path.setAttribute('stroke-width', wide * .12);
    path.setAttribute('class', 'best-arrow');
    picture.append(path);
  }
  document.addEventListener('change', (e) => { if (e.target.id === 'show-best') advise(); });
  document.addEventListener('htmx:afterSwap', (e) => { if (e.target.id === 'why') advise(); });

  // The address changes with the steps of a search. showMarked scrolls the current node into view on
  // narrow screens.
  function showMarked() {
    const mark = document.querySelector('.stepping .tree-mark');
    if (!mark) return;
    const box = mark.closest('.stepping'), at = mark.getBoundingClientRect(), of = box.getBoundingClientRect();
    box.scrollLeft += at.left + at.width / 2 - of.left - of.width / 2;
  }
  document.addEventListener('htmx:afterSwap', (e) => { if (e.target.id === 'stepped') { history.replaceState(null, '', e.detail.pathInfo.finalRequestPath); showMarked(); } });
  document.addEventListener('DOMContentLoaded', showMarked);

  function fresh() { done = []; part = []; mark(); }

  // Folded and unfolded sections below the board keep their state when the board is replaced.
  let folds = {};
  document.addEventListener('htmx:beforeSwap', (e) => { if (e.target.id === 'table') folds = Object.fromEntries([...e.target.querySelectorAll('details')].map((d) => [d.id, d.open])); });
  document.addEventListener('htmx:afterSwap', (e) => { if (e.target.id === 'table') { document.getElementById('message').textContent = ''; e.target.querySelectorAll('details').forEach((d) => { if (d.id in folds) d.open = folds[d.id]; }); fresh(); } });
  document.addEventListener('DOMContentLoaded', fresh);
})();
