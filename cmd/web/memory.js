// An in-memory file system for Go's package os, with the interface that wasm_exec.js requires. The
// browser stores files below /keep: kept(path, bytes) is called for each changed file, with null
// bytes if the file was deleted.
'use strict';

const memory = (() => {
  const S = { dir: 0o40000, file: 0o100000 };
  const nodes = new Map([['/', { mode: S.dir | 0o755, time: Date.now(), ino: 1 }]]);
  const open = new Map();
  let nextFD = 100, nextIno = 2, text = '';
  const decoder = new TextDecoder();
  const fault = (code) => Object.assign(new Error(code), { code });
  const clean = (path) => {
    const out = [];
    for (const part of String(path).split('/')) {
      if (part === '..') out.pop();
      else if (part && part !== '.') out.push(part);
    }
    return '/' + out.join('/');
  };
  const parent = (path) => clean(path + '/..');
  const node = (path) => {
    const n = nodes.get(clean(path));
    if (!n) throw fault('ENOENT');
    return n;
  };
  const isDir = (n) => (n.mode & S.dir) !== 0;
  const handle = (fd) => {
    const h = open.get(fd);
    if (!h) throw fault('EBADF');
    return h;
  };
  const stat = (n) => ({
    dev: 1, ino: n.ino, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: n.size || 0, blksize: 4096, blocks: Math.ceil((n.size || 0) / 512),
    atimeMs: n.time, mtimeMs: n.time, ctimeMs: n.time, isDirectory: () => isDir(n),
  });
  const resize = (n, size) => {
    if (size > n.data.length) {
      const data = new Uint8Array(Math.max(size, 2 * n.data.length));
      data.set(n.data.subarray(0, n.size));
      n.data = data;
    }
    if (size > n.size) n.data.fill(0, n.size, size);
    n.size = size; n.time = Date.now();
  };
  const make = (path, mode) => {
    if (!isDir(node(parent(path)))) throw fault('ENOTDIR');
    const n = { mode, time: Date.now(), ino: nextIno++, size: 0, data: new Uint8Array(0) };
    nodes.set(path, n);
    return n;
  };
  const names = (path) => {
    const below = clean(path) === '/' ? '/' : clean(path) + '/';
    return [...nodes.keys()].filter((p) => p !== '/' && p.startsWith(below) && !p.slice(below.length).includes('/')).map((p) => p.slice(below.length)).sort();
  };
  let kept = () => {};
  const changed = (path) => {
    if (!path.startsWith('/keep/') || path.includes('/.')) return; // names of incomplete files begin with a dot
    const n = nodes.get(path);
    if (!n) kept(path, null);
    else if (!isDir(n)) kept(path, n.data.slice(0, n.size));
  };

  const calls = {
    open(path, flags, mode) {
      path = clean(path);
      let n = nodes.get(path);
      if (n && flags & 64 && flags & 128) throw fault('EEXIST');
      if (!n && !(flags & 64)) throw fault('ENOENT');
      if (n && isDir(n) && flags & 3) throw fault('EISDIR');
      if (n && !isDir(n) && flags & 65536) throw fault('ENOTDIR');
      const fresh = !n;
      n = n || make(path, S.file | mode & 0o777);
      if (flags & 512) resize(n, 0);
      open.set(nextFD, { n, path, at: 0, append: flags & 1024, wrote: fresh });
      return nextFD++;
    },
    close(fd) {
      const h = handle(fd);
      open.delete(fd);
      if (h.wrote && nodes.get(h.path) === h.n) changed(h.path);
    },
    read(fd, buffer, offset, length, position) {
      const h = handle(fd), at = position === null ? h.at : position;
      if (isDir(h.n)) throw fault('EISDIR');
      const part = h.n.data.subarray(at, Math.min(h.n.size, at + length));
      buffer.set(part, offset);
      if (position === null) h.at += part.length;
      return part.length;
    },
    write(fd, buffer, offset, length, position) {
      if (fd === 1 || fd === 2) return fs.writeSync(fd, buffer.subarray(offset, offset + length));
      const h = handle(fd), at = h.append ? h.n.size : position === null ? h.at : position;
      if (at + length > h.n.size) resize(h.n, at + length);
      h.n.data.set(buffer.subarray(offset, offset + length), at);
      h.n.time = Date.now(); h.wrote = true;
      if (position === null) h.at = at + length;
      return length;
    },
    fstat: (fd) => stat(handle(fd).n),
    stat: (path) => stat(node(path)),
    lstat: (path) => stat(node(path)),
    fsync() {},
    ftruncate(fd, size) { const h = handle(fd); h.wrote = true; resize(h.n, size); },
    truncate: (path, size) => resize(node(path), size),
    mkdir(path, mode) {
      if (nodes.has(clean(path))) throw fault('EEXIST');
      make(clean(path), S.dir | mode & 0o777);
    },
    readdir(path) {
      if (!isDir(node(path))) throw fault('ENOTDIR');
      return names(path);
    },
    rename(from, to) {
      from = clean(from); to = clean(to);
      const n = node(from);
      if (!isDir(node(parent(to)))) throw fault('ENOTDIR');
      if (isDir(n)) {
        for (const [p, below] of [...nodes]) if (p.startsWith(from + '/')) { nodes.delete(p); nodes.set(to + p.slice(from.length), below); }
      }
      nodes.delete(from); nodes.set(to, n);
      for (const h of open.values()) if (h.n === n) h.path = to;
      changed(from); changed(to);
    },
    unlink(path) {
      if (isDir(node(path))) throw fault('EISDIR');
      nodes.delete(clean(path)); changed(clean(path));
    },
    rmdir(path) {
      if (!isDir(node(path))) throw fault('ENOTDIR');
      if (names(path).length) throw fault('ENOTEMPTY');
      nodes.delete(clean(path));
    },
    readlink(path) { node(path); throw fault('EINVAL'); },
    chmod(path, mode) { const n = node(path); n.mode = n.mode & ~0o777 | mode & 0o777; },
    fchmod(fd, mode) { const n = handle(fd).n; n.mode = n.mode & ~0o777 | mode & 0o777; },
    utimes(path, atime, mtime) { node(path).time = 1000 * mtime; },
  };
  const fs = {
    constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 },
    writeSync(fd, buffer) {
      text += decoder.decode(buffer);
      const end = text.lastIndexOf('\n');
      if (end >= 0) { console.log(text.slice(0, end)); text = text.slice(end + 1); }
      return buffer.length;
    },
  };
  for (const name of ['chown', 'fchown', 'lchown', 'link', 'symlink', ...Object.keys(calls)]) {
    fs[name] = (...args) => {
      const callback = args.pop();
      let result;
      try {
        if (!calls[name]) throw fault('ENOSYS');
        result = calls[name](...args);
      } catch (e) {
        if (!e.code) throw e;
        callback(e);
        return;
      }
      callback(null, result);
    };
  }

  return {
    fs,
    process: {
      getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [0], pid: 1, ppid: 0,
      umask: () => 0o22, cwd: () => '/', chdir() { throw fault('ENOSYS'); },
    },
    // put restores a stored file.
    put(path, data) {
      if (!/^\/keep\/(games|models)\/[^/]+$/.test(path)) throw new Error(path + ': want a game or a model');
      const missing = [];
      for (let dir = parent(path); !nodes.has(dir); dir = parent(dir)) missing.unshift(dir);
      for (const dir of missing) make(dir, S.dir | 0o755);
      const n = make(path, S.file | 0o644);
      n.data = data; n.size = data.length;
    },
    keep(f) { kept = f; },
  };
})();
