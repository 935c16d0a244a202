package cluster

import "testing"

// TestKeptFiles: a file without room takes the place of all others.
func TestKeptFiles(t *testing.T) {
	k := newKeptFiles()
	third := make([]byte, mostKept/3)
	for n, name := range []string{"a", "b", "c", "d", "too large"} {
		if n < 4 {
			k.keep(name, third)
		} else {
			k.keep(name, make([]byte, mostKept+1))
		}
		if _, had := k.files["a"]; had != (n < 3) || k.bytes != len(k.files)*len(third) {
			t.Errorf("after %s: %d files of %d bytes, a among them: %v", name, len(k.files), k.bytes, had)
		}
	}
	if k.find("d") == nil || k.find("too large") != nil {
		t.Error("want d alone")
	}
}
