// On each page of the static site: it starts the service worker, keeps it awake, and holds a
// first move, form or link until the program is there.
'use strict';

(function () {
  const root = new URL('.', document.currentScript.src).pathname;
  const say = (text) => { const m = document.getElementById('message'); if (m) m.textContent = text; };
  if (!navigator.serviceWorker || location.protocol === 'file:') {
    say('This page needs a service worker, which browsers have on https:// and on localhost, and some not in private windows.');
    return;
  }
  const workers = navigator.serviceWorker;
  const controlled = new Promise((done) => {
    if (workers.controller) done();
    else workers.addEventListener('controllerchange', done, { once: true });
  });
  const there = workers.register(root + 'sw.js', { scope: root, updateViaCache: 'none' }).then((registration) => {
    if (registration.active && !workers.controller) registration.active.postMessage('claim'); // after a forced reload
    return controlled;
  });
  there.catch((e) => say('plyfit could not be loaded: ' + e.message));
  const ping = () => fetch(root + 'ping').catch(() => {});
  there.then(() => setTimeout(ping, 3000)); // which has the worker get the tables of models, after what the visitor waits for
  setInterval(ping, 20000); // browsers end a worker that is idle for 30 s

  function hold(event, then) {
    if (workers.controller) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say('The program is loading. This goes on as soon as it is here.');
    there.then(then, () => {});
  }
  document.addEventListener('submit', (event) => hold(event, () => event.target.requestSubmit(event.submitter)), true);
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href]');
    if (link && link.origin === location.origin && !link.hash) hold(event, () => { location.href = link.href; });
  }, true);
})();
