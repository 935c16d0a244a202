// The service worker under node, in browsers whose storage is full or forbidden: node worker.js WEB.
// It prints what is wrong: each file has to come from the network then, and the worker is installed.
'use strict';
const { readFileSync } = require('fs');
const vm = require('vm');
const read = (name) => readFileSync(process.argv[2] + '/' + name, 'utf8');
const denied = async () => { throw new Error('denied'); };
const storages = {
  full: { open: async () => ({ match: async () => undefined, put: denied, keys: async () => [] }), keys: async () => [] },
  forbidden: { open: denied, keys: denied },
};

async function check(kind) {
  const listeners = {};
  const self = {
    URL, Response, Headers, Blob, Uint8Array, DecompressionStream, TextDecoder, crypto, console, location: new URL('http://host/site/sw.js'),
    Go: class {}, WebAssembly: { compileStreaming: async () => {}, instantiate: denied }, // the program does not start here
    caches: storages[kind], fetch: async (url) => new Response('the file ' + url), clients: { claim: async () => {} }, addEventListener(name, f) { listeners[name] = f; },
    importScripts(...names) {
      for (const name of names) {
        if (name === 'files.js') vm.runInContext('const site = { version: "1", module: "m.gz", files: ["index.html", "site.js"], tables: ["t.gz"] };', context);
        if (name === 'memory.js') vm.runInContext(read(name), context);
      }
    },
  };
  self.self = self;
  const context = vm.createContext(self);
  vm.runInContext(read('sw.js'), context);
  const send = async (name, event) => {
    const waits = [];
    listeners[name]({ ...event, waitUntil: (p) => waits.push(p) });
    await Promise.all(waits);
  };
  const get = async (name) => {
    let answer;
    await send('fetch', { request: { url: 'http://host/site/' + name, method: 'GET' }, respondWith(p) { answer = p; } });
    return (await answer).text();
  };
  await send('install', {});
  await send('activate', {});
  for (const [name, want] of [['', 'index.html'], ['site.js', 'site.js'], ['t.gz', 't.gz']]) {
    const got = await get(name);
    if (got !== 'the file /site/' + want) console.log(kind + ': ' + name + ' is ' + got);
  }
  const { trouble } = JSON.parse(await get('ping'));
  if (!trouble.includes('the program')) console.log(kind + ': pages say ' + trouble);
}

(async () => {
  for (const kind in storages) await check(kind).catch((e) => console.log(kind + ': ' + e.message));
})();
