package serve

import (
	"fmt"
	"sync"
)

// unfolded are the trees of the last searches that were unfolded, of all games together:
// where they need more than most bytes, the one goes that no one has looked at for longest.
type unfolded struct {
	most int64

	mu    sync.Mutex
	all   map[treeName]*searchTree
	bytes int64
	clock uint64 // counts puts and gets
}

// treeName is where a tree was unfolded: at a table, on a side, a or b.
type treeName struct{ table, side string }

// put keeps a tree in place of the one of that name.
func (u *unfolded) put(name treeName, t *searchTree) error {
	if t.bytes = t.Bytes(); t.bytes > u.most {
		return fmt.Errorf("agent %s: a tree of %d MB: want at most %d MB, so less depth", t.agent, t.bytes>>20, u.most>>20)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop(name)
	for u.bytes+t.bytes > u.most {
		var oldest treeName
		for other, kept := range u.all {
			if first := u.all[oldest]; first == nil || kept.used < first.used {
				oldest = other
			}
		}
		u.drop(oldest)
	}
	u.clock++
	t.used = u.clock
	u.all[name] = t
	u.bytes += t.bytes
	return nil
}

// get is the tree of that name; nil where there is none, or none any more.
func (u *unfolded) get(name treeName) *searchTree {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.all[name]
	if t != nil {
		u.clock++
		t.used = u.clock
	}
	return t
}

// forget drops the trees of tables that are gone.
func (u *unfolded) forget(tables []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, table := range tables {
		u.drop(treeName{table, "a"})
		u.drop(treeName{table, "b"})
	}
}

// drop drops the tree of that name, if there is one; the lock must be held.
func (u *unfolded) drop(name treeName) {
	if t := u.all[name]; t != nil {
		u.bytes -= t.bytes
		delete(u.all, name)
	}
}
