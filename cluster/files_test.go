package cluster

import "testing"

// TestKeptFiles: the file that was not used for longest makes room for others.
func TestKeptFiles(t *testing.T) {
	k := newKeptFiles()
	third := make([]byte, mostKept/3)
	for _, name := range []string{"a", "b", "c"} {
		k.keep(name, third)
	}
	if k.find("a") == nil {
		t.Error("a is gone, though there was room")
	}
	k.keep("d", third)
	k.keep("too large", make([]byte, mostKept+1))
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "too large": false} {
		if got := k.find(name) != nil; got != want {
			t.Errorf("%s is kept: %v, want %v", name, got, want)
		}
	}
	if k.bytes != 3*len(third) || len(k.order) != 3 {
		t.Errorf("%d bytes of %v, want 3 files", k.bytes, k.order)
	}
}
