// The service worker of the static site: it passes requests of the site's pages to plyfit's own
// handlers, compiled to WebAssembly, and keeps all files of the site for times without a network.
'use strict';

importScripts('files.js', 'memory.js');
globalThis.fs = memory.fs;
globalThis.process = memory.process;
importScripts('wasm_exec.js');

const root = new URL('./', self.location).pathname; // the site's folder on its host
const store = 'plyfit-site-' + site.version, keeping = 'plyfit-kept';
const files = new Set([...site.files, ...site.tables]);

// file is a file of the site, from the network once.
const under = new Map();
async function file(name) {
  const cache = await caches.open(store), url = root + name;
  const had = await cache.match(url);
  if (had) return had;
  if (!under.has(name)) {
    under.set(name, (async () => {
      const got = await fetch(url, { cache: 'no-cache' });
      if (!got.ok) throw new Error(name + ': the server answered ' + got.status);
      await cache.put(url, got);
    })().finally(() => under.delete(name)));
  }
  await under.get(name);
  return cache.match(url);
}

// unpacked is what a file .gz holds. Some servers unpack it on the way.
async function unpacked(name) {
  const bytes = new Uint8Array(await (await file(name)).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new Blob([bytes]).stream();
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}

// all gets the tables that are not here yet, one after the other, so that games play without a network.
async function all() {
  for (const name of site.tables) await file(name);
}

const born = new Date().toISOString(); // the answer to a ping: when this worker began
let booting = null, answering = null;
const boot = () => (booting ||= start().catch((e) => { booting = null; throw e; }));

async function start() {
  const module = WebAssembly.compileStreaming(new Response(await unpacked(site.module), { headers: { 'Content-Type': 'application/wasm' } }));
  const cache = await caches.open(keeping);
  for (const request of await cache.keys()) {
    const path = decodeURIComponent(new URL(request.url).searchParams.get('file'));
    memory.put(path, new Uint8Array(await (await cache.match(request)).arrayBuffer()));
  }
  let last = Promise.resolve(); // one after the other, so that the last state stays
  memory.keep((path, bytes) => {
    const url = root + 'kept?file=' + encodeURIComponent(path);
    last = last.then(() => (bytes ? cache.put(url, new Response(bytes)) : cache.delete(url))).catch(console.error);
  });
  const go = new Go();
  const instance = await WebAssembly.instantiate(await module, go.importObject);
  await new Promise((resolve, reject) => {
    globalThis.plyfit = {
      root,
      ready(answer) { answering = answer; resolve(); },
      table(name, done) {
        unpacked('models/' + name + '.gz').then((stream) => new Response(stream).arrayBuffer())
          .then((data) => done(null, new Uint8Array(data)), (e) => done(String(e)));
      },
    };
    go.run(instance).then(() => { booting = answering = null; reject(new Error('the program has ended')); });
  });
}

async function answer(request, path) {
  const body = new Uint8Array(await request.arrayBuffer());
  await boot();
  return new Promise((resolve) => {
    let over = false; // the answer may be there before its call returns
    const cancel = answering(request.method, '/' + path, [...request.headers].flat(), body, (status, list, bytes) => {
      const headers = new Headers();
      for (let i = 0; i < list.length; i += 2) headers.append(list[i], list[i + 1]);
      const to = headers.get('Location');
      if (to) resolve(Response.redirect(new URL(to, self.location), status));
      else resolve(new Response(status === 204 ? null : bytes, { status, headers }));
      over = true;
    });
    request.signal.addEventListener('abort', () => { if (!over) cancel(); });
  });
}

const trouble = (e) => new Response('plyfit could not be loaded: ' + e.message + '\n', { status: 503, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(root)) return;
  const name = url.pathname.slice(root.length);
  if (name === 'ping') {
    event.respondWith(new Response(born));
    if (answering) event.waitUntil(all());
  } else if (files.has(name)) event.respondWith(file(name));
  else if ((name === '' || name === 'index.html') && !answering) event.respondWith(file('index.html')); // at once; the program begins meanwhile
  else event.respondWith(answer(event.request, (name === 'index.html' ? '' : name) + url.search).catch(trouble));
  if (!answering) event.waitUntil(boot().catch(() => {}));
});

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(Promise.all([boot(), ...site.files.map(file)]));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('plyfit-site-') && name !== store) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener('message', (event) => { if (event.data === 'claim') event.waitUntil(self.clients.claim()); });
