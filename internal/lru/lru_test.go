package lru_test

import (
	"slices"
	"strings"
	"testing"

	"plyfit/internal/lru"
)

// TestCache checks that the least recently used value is dropped first, that the total size is
// bounded, and that values that must be kept are not dropped.
func TestCache(t *testing.T) {
	var gone []string
	c := lru.Cache[string, string]{Most: 6, Size: func(s string) int64 { return int64(len(s)) }, Keep: func(s string) bool { return s == "kk" }, Gone: func(key, _ string) { gone = append(gone, key) }}
	for _, step := range []struct {
		put, value string
		ok         bool
		gone       string
	}{
		{"a", "12", true, ""}, {"b", "kk", true, ""}, {"c", "12", true, ""}, {"", "a", true, ""}, // a is used again
		{"d", "12", true, "c"}, {"a", "1", true, "a"}, {"e", "1", true, ""}, {"f", "1234", true, "d a e"}, {"g", "1234567", false, ""}, {"h", "12345", false, "f"},
	} {
		gone = nil
		ok := true
		if step.put == "" {
			ok = c.Get(step.value) != ""
		} else {
			ok = c.Put(step.put, step.value)
		}
		if want := strings.Fields(step.gone); ok != step.ok || !slices.Equal(gone, want) {
			t.Errorf("%+v: %v, and %v are gone", step, ok, gone)
		}
	}
	made := 0
	for range 2 {
		if x, err := c.Or("x", func() (string, error) { made++; return "y", nil }); x != "y" || err != nil || made != 1 {
			t.Errorf("%q, %v, made %d times", x, err, made)
		}
	}
	if c.Clear(); c.Get("b") != "" || c.Get("x") != "" || !slices.Contains(gone, "b") {
		t.Errorf("after Clear: %v are gone", gone)
	}
}
