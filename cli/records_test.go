package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/cli"
)

// TestRecordsGrow: games that are over can be looked at while their match goes on. This
// one would go on for ever.
func TestRecordsGrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.txt")
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	var seen []byte
	go func() {
		defer stop()
		for ctx.Err() == nil && len(seen) == 0 {
			time.Sleep(10 * time.Millisecond)
			seen, _ = os.ReadFile(path)
		}
	}()
	var out, errs bytes.Buffer
	args := strings.Fields("match connect4 random random --pairs 100000000 --quiet --records " + path)
	cli.Run(ctx, catalog.All(), args, strings.NewReader(""), &out, &errs)
	<-ctx.Done()
	if !strings.Contains(string(seen), "random") {
		t.Errorf("two minutes into a match its file of games holds %q\n%s", seen, errs.String())
	}
}
