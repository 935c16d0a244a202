package damage

import "testing"

// FuzzWarp: what is taken for a warp does not panic on its range.
func FuzzWarp(f *testing.F) {
	for _, text := range []string{"sqrt", "cube", "ranks", "power:2", "tanh:3", "exp:4", "exp:-1e9", "power:NaN", "exp:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseWarp(text); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
