package uci

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/search"
)

// said is what an engine answers to commands.
func said(t *testing.T, game string, commands ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := newServer(t, game).Serve(context.Background(), strings.NewReader(strings.Join(commands, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestGenfens: as many openings as asked for, positions of the game with either side
// to move, the same for the same seed and for no other, from the start or from a book.
func TestGenfens(t *testing.T) {
	g := newGame(t, "chess")
	got := said(t, "chess", "genfens 40 seed 18446744073709551615 book None", "quit")
	if len(got) != 40 {
		t.Fatalf("%d lines, want 40: %s", len(got), got[0])
	}
	distinct, movers := map[string]bool{}, map[string]bool{}
	for _, line := range got {
		fen, ok := strings.CutPrefix(line, "info string genfens ")
		if _, err := g.Parse(fen); !ok || err != nil || len(strings.Fields(fen)) != 6 {
			t.Fatalf("%q: %v, want info string genfens FEN", line, err)
		}
		distinct[fen], movers[strings.Fields(fen)[1]] = true, true
	}
	if len(distinct) < 39 || len(movers) != 2 {
		t.Errorf("%d different openings with %d sides to move, want 40 and both", len(distinct), len(movers))
	}
	if again := said(t, "chess", "genfens 40 seed 18446744073709551615 book None extra", "quit"); strings.Join(again, "\n") != strings.Join(got, "\n") {
		t.Error("another time it makes others")
	}
	if other := said(t, "chess", "genfens 40 seed 18446744069414584319 book None"); other[0] == got[0] && other[1] == got[1] {
		t.Error("another seed, in its upper half alone, makes the same")
	}
	book := filepath.Join(t.TempDir(), "book.epd")
	const pawns = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -"
	if err := os.WriteFile(book, []byte(pawns+" hmvc 0; id \"x\";\n\n"+pawns+" 3 9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range said(t, "chess", "genfens 10 seed 1 book "+book) {
		if !strings.HasPrefix(line, "info string genfens ") || strings.ContainsAny(strings.Fields(line)[3], "nNqQrRbB") {
			t.Errorf("%q is not from the book", line)
		}
	}
	if err := os.WriteFile(book, []byte(pawns+"\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ game, command, want string }{
		{"chess", "genfens", "want genfens N seed S book None|FILE"},
		{"chess", "genfens 0 seed 1 book None", "N being a whole number"},
		{"chess", "genfens 1 seed -1 book None", "S being a whole number of 64 bits"},
		{"chess", "genfens 1 seed 1 book nowhere.epd", "nowhere.epd"},
		{"chess", "genfens 1 seed 1 book " + book, "book.epd:2: "},
		{"connect4", "genfens 1 seed 1 book None", "positions of connect4 have no FEN"},
		{"chess", "bench 0", "want a whole number from 1"},
	} {
		if got := said(t, c.game, c.command); len(got) != 1 || !strings.HasPrefix(got[0], "info string ") || !strings.Contains(got[0], c.want) {
			t.Errorf("%s: got %q, want a line with %q", c.command, got, c.want)
		}
	}
}

// TestBench: the line that OpenBench reads; its nodes follow from the depth, whatever
// was set, searched or benched before.
func TestBench(t *testing.T) {
	line := regexp.MustCompile(`^([1-9]\d*) nodes [1-9]\d* nps$`)
	nodes := func(commands ...string) string {
		got := said(t, "chess", commands...)
		m := line.FindStringSubmatch(got[len(got)-1])
		if m == nil {
			t.Fatalf("%q, want NODES nodes NPS nps", got[len(got)-1])
		}
		return m[1]
	}
	first := nodes("bench 2")
	if again := nodes("setoption name Threads value 3", "go depth 1", "bench 2", "bench 2"); again != first {
		t.Errorf("%s nodes, and %s the second time", first, again)
	}
	if deeper := nodes("bench 3"); deeper == first {
		t.Errorf("%s nodes at depth 2 and 3", first)
	}
	sv, threads := newServer(t, "chess"), 0
	inner := sv.Make
	sv.Make = func(s Settings, iteration func(search.Result)) (search.Agent, error) {
		threads = s.Threads
		return inner(s, iteration)
	}
	if err := sv.Serve(context.Background(), strings.NewReader("setoption name Threads value 3\nbench 1\n"), new(bytes.Buffer)); err != nil || threads != 1 {
		t.Errorf("bench has %d threads, want 1 (%v)", threads, err)
	}
}
