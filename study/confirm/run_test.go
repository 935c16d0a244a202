package confirm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/study"
)

// small is a protocol of a few seconds.
const small = `{"format": "plyfit-protocol/2", "name": "small", "title": "t", "written": "2026-11-24", "analysis": 1, "alpha": 0.05, "seed": 77, "reasons": ["a test"],
 "matches": [{"id": "H1", "claim": "it does", "game": "connect4:columns=5,rows=4", "a": "alphabeta:depth=2", "b": "random", "pairs": 100, "plies": 4}]}
`

func runIn(t *testing.T, ctx context.Context, text, dir string, workers int) (*Result, error) {
	t.Helper()
	p, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	s := &study.Session{Catalog: catalog.All(), Dir: dir, Workers: workers, Log: io.Discard, Quiet: true}
	return Run(ctx, s, p, "a test", "none")
}

// runs is a whole run, after which one that is stopped again and again has ended with the
// same bytes, with another number of workers.
func runs(t *testing.T, text string) *Result {
	t.Helper()
	whole, pieces := t.TempDir(), t.TempDir()
	r, err := runIn(t, t.Context(), text, whole, 1)
	if err != nil {
		t.Fatal(err)
	}
	wait := 20 * time.Millisecond
	for {
		ctx, stop := context.WithTimeout(t.Context(), wait)
		_, err := runIn(t, ctx, text, pieces, 3)
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		wait += wait / 2
	}
	for _, pattern := range []string{"data/*.csv", "report.md", "cells/*/*.jsonl"} {
		list, err := filepath.Glob(filepath.Join(whole, pattern))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v %v", pattern, list, err)
		}
		for _, path := range list {
			rel, _ := filepath.Rel(whole, path)
			a, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(pieces, rel))
			if err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s differs: %v", rel, err)
			}
		}
	}
	return r
}

// TestProtocols: protocols that earlier programs decide name the commits of these.
func TestProtocols(t *testing.T) {
	for name, want := range map[string]string{"2026-11": "by the program of commit b57a2cf", "2026-12": "by the program of commit " + lastOfWorlds} {
		if _, err := Read("../protocols/"+name+".json", catalog.All()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// refusedText checks that a protocol with a fault planted is refused in one line.
func refusedText(t *testing.T, text, old, new, want string) {
	t.Helper()
	planted := strings.Replace(text, old, new, 1)
	if planted == text {
		t.Fatalf("%s is not there", old)
	}
	if _, err := readText(t, planted); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v, want %s", new, err, want)
	}
}
