// Package lru provides a cache that drops the least recently used values.
package lru

import (
	"container/list"
	"sync"
)

// A Cache contains values whose total size is at most Most. A zero Cache in which only Most is set
// is empty and ready to use. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	Most int64
	Size func(V) int64 // size of a value; if nil, each value has size 1
	Keep func(V) bool  // reports values that must not be dropped to make room; may be nil
	Gone func(K, V)    // called with each value that is dropped or replaced; may be nil

	mu   sync.Mutex
	all  map[K]*list.Element
	used list.List // of *entry[K, V], the least recently used first
	sum  int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

// Get returns the value of a key, or the zero value if there is none.
func (c *Cache[K, V]) Get(key K) V {
	value, _ := c.get(key)
	return value
}

func (c *Cache[K, V]) get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.all[key]
	if ok {
		c.used.MoveToBack(at)
		value = at.Value.(*entry[K, V]).value
	}
	return value, ok
}

// Or returns the value of a key. If there is none, Or creates it with the callback and stores it.
func (c *Cache[K, V]) Or(key K, make func() (V, error)) (V, error) {
	if value, ok := c.get(key); ok {
		return value, nil
	}
	value, err := make()
	if err == nil {
		c.Put(key, value)
	}
	return value, err
}

// Put stores a value and drops others to make room for it. It reports whether there was room.
func (c *Cache[K, V]) Put(key K, value V) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry[K, V]{key, value, 1}
	if c.Size != nil {
		e.size = c.Size(value)
	}
	if e.size > c.Most {
		return false
	}
	c.drop(key)
	for at := c.used.Front(); c.sum+e.size > c.Most; {
		if at == nil {
			return false
		}
		oldest := at.Value.(*entry[K, V])
		at = at.Next()
		if c.Keep == nil || !c.Keep(oldest.value) {
			c.drop(oldest.key)
		}
	}
	if c.all == nil {
		c.all = map[K]*list.Element{}
	}
	c.all[key] = c.used.PushBack(e)
	c.sum += e.size
	return true
}

// Drop removes the value of a key, if there is one.
func (c *Cache[K, V]) Drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
}

func (c *Cache[K, V]) drop(key K) {
	if at := c.all[key]; at != nil {
		e := c.used.Remove(at).(*entry[K, V])
		delete(c.all, key)
		c.sum -= e.size
		if c.Gone != nil {
			c.Gone(key, e.value)
		}
	}
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.all {
		c.drop(key)
	}
}
