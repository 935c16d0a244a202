// The module under node, for tests: node node.js SITE. Each line of standard input is a request,
// {"method", "path", "body"}; each line of output its answer, {"status", "headers", "body", "ms"}.
'use strict';
const { readFileSync } = require('fs');
const vm = require('vm');
const zlib = require('zlib');
const dir = process.argv[2] + '/';
const readline = require('readline');
const input = process.stdin;
const write = process.stdout.write.bind(process.stdout);
console.log = console.error;

vm.runInThisContext(readFileSync(dir + 'memory.js', 'utf8') + '\nglobalThis.memory = memory;');
globalThis.fs = memory.fs;
const real = globalThis.process;
globalThis.process = memory.process;
vm.runInThisContext(readFileSync(dir + 'wasm_exec.js', 'utf8'));
let answering;
const ready = new Promise((resolve) => {
  globalThis.plyfit = {
    root: '/', origin: 'http://localhost', longest: 64 << 20,
    ready(answer) { answering = answer; resolve(); },
    table(name, done) { done(null, new Uint8Array(zlib.gunzipSync(readFileSync(dir + 'models/' + name + '.gz')))); },
  };
});
(async () => {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(zlib.gunzipSync(readFileSync(dir + 'plyfit.wasm.gz')), go.importObject);
  go.run(instance).then(() => { console.error('the program has ended'); real.exit(1); });
  await ready;
  for await (const line of readline.createInterface({ input })) {
    const r = JSON.parse(line), begun = performance.now();
    const headers = r.body === undefined ? [] : ['Content-Type', 'application/x-www-form-urlencoded'];
    const out = await new Promise((resolve) => answering(r.method, r.path, headers, new TextEncoder().encode(r.body || ''), (status, list, bytes) => resolve({ status, list, bytes })));
    write(JSON.stringify({ status: out.status, headers: out.list, body: new TextDecoder().decode(out.bytes), ms: performance.now() - begun }) + '\n');
  }
  real.exit(0);
})();
