// This script runs on every page of the static site. It starts the service worker, keeps it awake,
// adds the worker's token to forms, and delays moves, forms and links until the program is loaded.
// Pages made from cmd/web/shell.html are then reloaded.
'use strict';

(function () {
  const script = document.currentScript, root = new URL('.', script.src).pathname;
  const say = (text) => { const m = document.getElementById('message'); if (m) m.textContent = text; };
  if (!navigator.serviceWorker || location.protocol === 'file:') {
    say('This page needs a service worker. Browsers support service workers only on https:// and localhost, and some do not support them in private windows.');
    return;
  }
  const workers = navigator.serviceWorker;
  const controlled = new Promise((done) => {
    if (workers.controller) done();
    else workers.addEventListener('controllerchange', done, { once: true });
  });
  const registered = workers.register(root + 'sw.js', { scope: root, updateViaCache: 'none' });
  const there = registered.then((registration) => {
    if (registration.active && !workers.controller) registration.active.postMessage('claim'); // after a forced reload
    return controlled;
  });
  there.catch((e) => say('plyfit could not be loaded: ' + e.message));
  if ('reload' in script.dataset) there.then(() => location.reload(), () => {});

  // ping asks the worker for its state. If a new version is waiting and no run is in progress, it starts
  // the new version.
  const ask = (query) => fetch(root + 'ping' + query).then((answer) => answer.json());
  async function ping() {
    const now = await ask('?tables'), { waiting } = await registered;
    if (waiting && !now.busy) waiting.postMessage('begin');
    const main = document.getElementById('main');
    if (!now.trouble || !main) return;
    const line = document.getElementById('trouble') || document.createElement('p');
    Object.assign(line, { id: 'trouble', className: 'error', textContent: now.trouble });
    line.setAttribute('role', 'alert');
    main.prepend(line);
  }
  const quietly = () => ping().catch(() => {});
  there.then(() => setTimeout(quietly, 3000)); // the worker then downloads the model tables, after everything that the visitor is waiting for
  setInterval(quietly, 20000); // browsers stop a worker that has been idle for 30 s
  document.addEventListener('htmx:afterRequest', (event) => { if (event.detail.requestConfig.verb === 'post') quietly(); });

  function hold(event, then) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!workers.controller) say('The program is loading. Your request continues as soon as it is ready.');
    there.then(then).catch((e) => say('plyfit does not answer: ' + e.message));
  }
  let passed = null; // the form that is being submitted
  document.addEventListener('submit', (event) => {
    const form = event.target, post = form.method === 'post' && !form.hasAttribute('hx-post');
    if (form === passed || workers.controller && !post) return;
    hold(event, async () => {
      const { token, longest } = await ask(''); // the current token; the worker may have been restarted since the page was loaded
      for (const field of form.querySelectorAll('input[type=file]')) {
        for (const file of field.files) if (file.size > longest) throw new Error(file.name + ' has ' + Math.ceil(file.size / 2 ** 20) + ' MB; want at most ' + longest / 2 ** 20);
      }
      const to = new URL(form.getAttribute('action') || '', location.href);
      to.searchParams.set('token', token);
      if (post) form.setAttribute('action', to.href);
      passed = form;
      form.requestSubmit(event.submitter);
      passed = null;
    });
  }, true);
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href]');
    if (link && link.origin === location.origin && !link.hash && !workers.controller) hold(event, () => { location.href = link.href; });
  }, true);
})();
