//go:build unix

package protocol_test

import (
	"os"
	"strings"
	"testing"

	"plyfit/internal/protocol/protocoltest"
)

// TestMain runs this program as an agent if its argument requests this, or as an engine if its
// environment does.
func TestMain(m *testing.M) {
	if mode, ok := strings.CutPrefix(os.Args[len(os.Args)-1], "agent="); ok {
		play(mode)
		return
	}
	protocoltest.Main(m, func(mode string) {
		fakeGnubg(strings.TrimPrefix(mode, "gnubg "))
	})
}
