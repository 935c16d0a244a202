// The service worker of the static site: it passes requests of the site's pages to plyfit's own
// handlers, compiled to WebAssembly, and keeps all files of the site for times without a network. What
// the browser does not store works until the worker ends, and pages say so.
'use strict';

importScripts('files.js', 'memory.js');
globalThis.fs = memory.fs;
globalThis.process = memory.process;
importScripts('wasm_exec.js');

const root = new URL('./', self.location).pathname; // the site's folder on its host
const store = 'plyfit-site-' + site.version + root, keeping = 'plyfit-kept'; // other sites of this origin have other addresses in the second
const files = new Set([...site.files, ...site.tables]);
const longest = 64 << 20; // bytes of a form

// trouble is a line about what the browser does not store, and about stored files that were skipped.
const unstored = new Set(), skipped = [];
function trouble() {
  const lines = [];
  const names = (list) => list.slice(0, 5).join(', ') + (list.length > 5 ? ' and ' + (list.length - 5) + ' more' : '');
  if (unstored.size) lines.push('This browser has no room left, or does not store anything here. Lost when the site is closed: ' + names([...unstored]) + '.');
  if (skipped.length) lines.push('Stored files that cannot be read were skipped: ' + names(skipped) + '.');
  return lines.join(' ');
}

const opened = (name) => caches.open(name).catch(() => null); // private windows may have none

// file is a file of the site, from the network once.
const under = new Map();
async function file(name) {
  const cache = await opened(store), url = root + name;
  const had = cache && await cache.match(url);
  if (had) return had;
  if (!under.has(name)) {
    under.set(name, (async () => {
      const got = await fetch(url, { cache: 'no-cache' });
      if (!got.ok) throw new Error(name + ': the server answered ' + got.status);
      if (cache) await cache.put(url, got.clone()).catch(() => unstored.add('the program'));
      else unstored.add('the program');
      return got;
    })().finally(() => under.delete(name)));
  }
  return (await under.get(name)).clone();
}

// unpacked is what a file .gz holds. Some servers unpack it on the way.
async function unpacked(name) {
  const bytes = new Uint8Array(await (await file(name)).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new Blob([bytes]).stream();
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}

// all gets the tables that are not here yet, one after the other, so that games play without a network.
async function all() {
  if (await opened(store)) for (const name of site.tables) await file(name);
}

const born = new Date().toISOString(); // when this worker began
let booting = null, answering = null, busy = () => false;
const boot = () => (booting ||= start().catch((e) => { booting = null; throw e; }));

let token = null; // a random word of this worker, once a page has asked for it
function ping() {
  token ||= crypto.randomUUID();
  return Response.json({ born, token, longest, busy: busy(), trouble: trouble() });
}

let written = Promise.resolve(); // one file after the other, so that the last state stays

async function start() {
  const module = WebAssembly.compileStreaming(new Response(await unpacked(site.module), { headers: { 'Content-Type': 'application/wasm' } }));
  const cache = await opened(keeping);
  skipped.length = 0;
  for (const request of cache ? await cache.keys() : []) {
    const url = new URL(request.url), path = url.searchParams.get('file');
    if (url.pathname !== root + 'kept') continue; // of a site in another folder
    try {
      memory.put(path, new Uint8Array(await (await cache.match(request)).arrayBuffer()));
    } catch (e) {
      console.error(e);
      skipped.push(path ? path.replace('/keep/', '') : 'one without a name');
    }
  }
  memory.keep((path, bytes) => {
    const url = root + 'kept?file=' + encodeURIComponent(path), name = path.slice('/keep/'.length);
    written = written.then(async () => {
      if (!cache) throw new Error('no storage');
      await (bytes ? cache.put(url, new Response(bytes)) : cache.delete(url));
    }).then(() => unstored.delete(name), () => (bytes ? unstored.add(name) : unstored.delete(name)));
  });
  const go = new Go();
  const instance = await WebAssembly.instantiate(await module, go.importObject);
  await new Promise((resolve, reject) => {
    globalThis.plyfit = {
      root, longest,
      origin: self.location.origin,
      ready(answer, underWay) { answering = answer; busy = underWay; resolve(); },
      table(name, done) {
        unpacked('models/' + name + '.gz').then((stream) => new Response(stream).arrayBuffer())
          .then((data) => done(null, new Uint8Array(data)), (e) => done(String(e)));
      },
    };
    go.run(instance).then(() => { booting = answering = null; busy = () => false; reject(new Error('the program has ended')); });
  });
}

const line = (status, text) => new Response(text + '\n', { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

// read is the body of a request; null if it is longer than a form may be, of which no more is read.
async function read(request) {
  if (request.method === 'GET' || request.method === 'HEAD') return new Uint8Array();
  if (!request.body) { // as in Firefox
    const blob = await request.blob();
    return blob.size > longest ? null : new Uint8Array(await blob.arrayBuffer());
  }
  const parts = [], reader = request.body.getReader();
  let size = 0;
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    parts.push(got.value);
    size += got.value.length;
    if (size > longest) { reader.cancel(); return null; }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) { whole.set(part, at); at += part.length; }
  return whole;
}

const escaped = (text) => text.replace(/[&<>"]/g, (c) => '&#' + c.charCodeAt(0) + ';');

// source is the header that browsers send to servers and hide from workers: where a request comes
// from. Pages of other sites can send forms here, but cannot read the token. Requests that are no
// navigation come from pages that this worker controls.
function source(request, url) {
  const ours = request.method === 'GET' || request.mode !== 'navigate' || token && url.searchParams.get('token') === token;
  return ['Sec-Fetch-Site', ours ? 'same-origin' : 'cross-site'];
}

async function answer(request, path, from) {
  const body = await read(request);
  if (!body) return line(413, 'a form of more than ' + longest / 2 ** 20 + ' MB: want a smaller file');
  await boot();
  const { status, list, bytes } = await new Promise((resolve) => {
    let over = false; // the answer may be there before its call returns
    const cancel = answering(request.method, '/' + path, [...request.headers, from].flat(), body, (status, list, bytes) => { over = true; resolve({ status, list, bytes }); });
    request.signal.addEventListener('abort', () => { if (!over) cancel(); });
  });
  await written;
  const headers = new Headers();
  for (let i = 0; i < list.length; i += 2) headers.append(list[i], list[i + 1]);
  const to = headers.get('Location');
  if (to) return Response.redirect(new URL(to, self.location), status);
  if (!trouble() || !/^text\/html/.test(headers.get('Content-Type'))) return new Response(status === 204 ? null : bytes, { status, headers });
  return new Response(new TextDecoder().decode(bytes).replace('<main id="main">', (main) => main + '<p id="trouble" class="error" role="alert">' + escaped(trouble()) + '</p>'), { status, headers });
}

self.addEventListener('fetch', (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(root)) return;
  const name = url.pathname.slice(root.length), page = name.replace(/(^|\/)(index\.html)?$/, ''); // hosts add these to a folder's address
  if (name === 'ping') {
    event.respondWith(ping());
    if (answering && url.search === '?tables') event.waitUntil(all());
  } else if (files.has(name)) event.respondWith(file(name));
  else if (page === '' && !answering) event.respondWith(file('index.html')); // at once; the program begins meanwhile
  else event.respondWith(answer(request, page + url.search, source(request, url)).catch((e) => line(503, 'plyfit could not be loaded: ' + e.message)));
  if (!answering) event.waitUntil(boot().catch(() => {}));
});

// A new version waits until a page finds that no run is under way. The program starts after that,
// since the worker before writes games and models until then.
self.addEventListener('install', (event) => event.waitUntil(Promise.all(site.files.map(file))));

self.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(self.clients.claim());
  if (event.data === 'begin') event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys().catch(() => [])) {
      const [, folder] = /^plyfit-site-[^/]*(.*)$/.exec(name) || []; // '': of a version before this one, without its folder
      if ((folder === root || folder === '') && name !== store) await caches.delete(name);
    }
    await boot().catch(() => {}); // so that pages say that the program is loading until it is there
    await self.clients.claim();
  })());
});
