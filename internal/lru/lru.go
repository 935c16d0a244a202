// Package lru provides a cache that drops the least recently used values.
package lru

import "sync"

// A Cache contains values whose total size is at most Most. A zero Cache in which only Most is set
// is empty and ready to use. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	Most int64
	Size func(V) int64 // size of a value; if nil, each value has size 1
	Keep func(V) bool  // reports values that must not be dropped to make room; may be nil
	Gone func(K, V)    // called with each value that is dropped or replaced; may be nil

	mu   sync.Mutex
	all  map[K]*entry[V]
	sum  int64
	uses int
}

type entry[V any] struct {
	value V
	size  int64
	used  int
}

// Get returns the value of a key, or the zero value if there is none.
func (c *Cache[K, V]) Get(key K) V {
	value, _ := c.get(key)
	return value
}

func (c *Cache[K, V]) get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.all[key]
	if ok {
		c.uses++
		value, e.used = e.value, c.uses
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
	c.uses++
	e := &entry[V]{value, 1, c.uses}
	if c.Size != nil {
		e.size = c.Size(value)
	}
	if e.size > c.Most {
		return false
	}
	c.drop(key)
	for c.sum+e.size > c.Most {
		oldest, found := key, false
		for k, other := range c.all {
			if (!found || other.used < c.all[oldest].used) && (c.Keep == nil || !c.Keep(other.value)) {
				oldest, found = k, true
			}
		}
		if !found {
			return false
		}
		c.drop(oldest)
	}
	if c.all == nil {
		c.all = map[K]*entry[V]{}
	}
	c.all[key] = e
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
	if e := c.all[key]; e != nil {
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
