package protocol

import "testing"

// FuzzCommand: a command line is taken apart or refused in words.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{"true", "true -x 'a b' \"c\"", "'", "true \\", "", "/ x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCommand(text)
		if err == nil && c.Path == "" {
			t.Errorf("%q is a command without a program", text)
		}
		if err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
