package serve

import (
	"fmt"
	"slices"
	"sync"
)

// unfolded caches search trees of all games. Above most bytes it drops the least recently used.
type unfolded struct {
	most int64

	mu    sync.Mutex
	all   map[treeName]*searchTree
	order []treeName // the most recently used one is at the end
	bytes int64
}

// treeName names a tree by its game and its side, a or b.
type treeName struct{ table, side string }

func (u *unfolded) put(name treeName, t *searchTree) error {
	if t.bytes = t.Bytes(); t.bytes > u.most {
		return fmt.Errorf("agent %s: a tree of %d MB: want at most %d MB, so less depth", t.agent, t.bytes>>20, u.most>>20)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop(name)
	for u.bytes+t.bytes > u.most {
		u.drop(u.order[0])
	}
	u.all[name], u.order = t, append(u.order, name)
	u.bytes += t.bytes
	return nil
}

func (u *unfolded) get(name treeName) *searchTree {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.all[name]
	if t != nil {
		u.order = append(u.without(name), name)
	}
	return t
}

// forget drops the trees of games that have ended.
func (u *unfolded) forget(tables []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, table := range tables {
		u.drop(treeName{table, "a"})
		u.drop(treeName{table, "b"})
	}
}

// drop removes a tree if it exists; the lock must be held.
func (u *unfolded) drop(name treeName) {
	if t := u.all[name]; t != nil {
		u.bytes -= t.bytes
		delete(u.all, name)
		u.order = u.without(name)
	}
}

func (u *unfolded) without(name treeName) []treeName {
	return slices.DeleteFunc(u.order, func(other treeName) bool { return other == name })
}
