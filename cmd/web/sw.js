// The service worker of the static site. It passes requests from the site's pages to plyfit's
// handlers, which are compiled to WebAssembly, and stores all files of the site for use without a
// network. If the browser refuses to store a file, the file is available until the worker ends, and
// pages show a warning.
'use strict';

importScripts('files.js', 'memory.js');
globalThis.fs = memory.fs;
globalThis.process = memory.process;
importScripts('wasm_exec.js');

const root = new URL('./', self.location).pathname; // the site's folder on its host
const store = 'plyfit-site-' + site.version + root, keeping = 'plyfit-kept'; // the second cache is shared by all sites of this origin, under different addresses
const files = new Set([...site.files, ...site.tables]);
const longest = 64 << 20; // maximum number of bytes in a form

// trouble returns a line about data that the browser does not store and stored files that were skipped.
const unstored = new Set(), skipped = [];
function trouble() {
  const lines = [];
  const names = (list) => list.slice(0, 5).join(', ') + (list.length > 5 ? ' and ' + (list.length - 5) + ' more' : '');
  if (unstored.size) lines.push('This browser has no space left, or does not store data for this site. The following will be lost when the site is closed: ' + names([...unstored]) + '.');
  if (skipped.length) lines.push('Some stored files could not be read and were skipped: ' + names(skipped) + '.');
  return lines.join(' ');
}

const opened = (name) => caches.open(name).catch(() => null); // private windows may not have a cache

// file returns a file of the site. Each file is downloaded only once.
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

// unpacked returns the contents of a .gz file. Some servers unpack the file before sending it.
async function unpacked(name) {
  const bytes = new Uint8Array(await (await file(name)).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new Blob([bytes]).stream();
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}

// all downloads the missing model tables one after another, so that all games work without a network.
async function all() {
  if (await opened(store)) for (const name of site.tables) await file(name);
}

const born = new Date().toISOString(); // when this worker started
let booting = null, answering = null, busy = () => false;
const boot = () => (booting ||= start().catch((e) => { booting = null; throw e; }));

let token = null; // this worker's random token, created when a page first asks for it
function ping() {
  token ||= crypto.randomUUID();
  return Response.json({ born, token, longest, busy: busy(), trouble: trouble() });
}

let written = Promise.resolve(); // files are written one after another, so that the last state is kept

async function start() {
  const module = WebAssembly.compileStreaming(new Response(await unpacked(site.module), { headers: { 'Content-Type': 'application/wasm' } }));
  const cache = await opened(keeping);
  skipped.length = 0;
  for (const request of cache ? await cache.keys() : []) {
    const url = new URL(request.url), path = url.searchParams.get('file');
    if (url.pathname !== root + 'kept') continue; // belongs to a site in another folder
    try {
      memory.put(path, new Uint8Array(await (await cache.match(request)).arrayBuffer()));
    } catch (e) {
      console.error(e);
      skipped.push(path ? path.replace('/keep/', '') : 'a file without a name');
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

// read returns the body of a request, or null if it is too long. It does not read beyond the limit.
async function read(request) {
  if (request.method === 'GET' || request.method === 'HEAD') return new Uint8Array();
  if (!request.body) { // in Firefox
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

// source returns the header Sec-Fetch-Site, which browsers send to servers but hide from workers.
// Pages of other sites can send forms to this site, but cannot read the token. Requests other than
// navigations come from pages that this worker controls.
function source(request, url) {
  const ours = request.method === 'GET' || request.mode !== 'navigate' || token && url.searchParams.get('token') === token;
  return ['Sec-Fetch-Site', ours ? 'same-origin' : 'cross-site'];
}

async function answer(request, path, from) {
  const body = await read(request);
  if (!body) return line(413, 'the form has more than ' + longest / 2 ** 20 + ' MB; want a smaller file');
  await boot();
  const { status, list, bytes } = await new Promise((resolve) => {
    let over = false; // the answer may arrive before the call returns
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
  const name = url.pathname.slice(root.length), page = name.replace(/(^|\/)(index\.html)?$/, ''); // some hosts add index.html to a folder's address
  if (name === 'ping') {
    event.respondWith(ping());
    if (answering && url.search === '?tables') event.waitUntil(all());
  } else if (files.has(name)) event.respondWith(file(name));
  else if (page === '' && !answering) event.respondWith(file('index.html')); // shown immediately, while the program starts
  else event.respondWith(answer(request, page + url.search, source(request, url)).catch((e) => line(503, 'plyfit could not be loaded: ' + e.message)));
  if (!answering) event.waitUntil(boot().catch(() => {}));
});

// A new version waits until a page finds that no run is in progress. Its program starts after that,
// because the previous worker writes games and models until then.
self.addEventListener('install', (event) => event.waitUntil(Promise.all(site.files.map(file))));

self.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(self.clients.claim());
  if (event.data === 'begin') event.waitUntil(self.skipWaiting());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys().catch(() => [])) {
      const [, folder] = /^plyfit-site-[^/]*(.*)$/.exec(name) || []; // '': from an older version, whose cache names lack the folder
      if ((folder === root || folder === '') && name !== store) await caches.delete(name);
    }
    await boot().catch(() => {}); // pages show that the program is loading until it is ready
    await self.clients.claim();
  })());
});
