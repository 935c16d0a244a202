package tune

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/engine"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/internal/vectors"
	"plyfit/learn/fit"
)

// fake is an engine that evaluates pawns and knights with the values of its options, and rooks with
// a nonlinear one. It plays to win material. In mode "unsteady", its scores are not reproducible.
func fake(mode string) {
	values := map[string]int{"Pawn": 100, "Knight": 300, "Curve": 10, "Idle": 5, "Hash": 16, "Switch": 0}
	g := vectors.Must(catalog.All().World("chess")).Game
	at, asked := g.New(), 0
	count := func() int {
		board, _, _ := strings.Cut(chess.Of(at).FEN(), " ")
		n := func(piece string) int {
			return strings.Count(board, strings.ToUpper(piece)) - strings.Count(board, piece)
		}
		return values["Pawn"]*n("p") + values["Knight"]*n("n") + values["Curve"]%3*500*n("r")
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		switch words[0] {
		case "uci":
			if mode != "bare" {
				fmt.Println("option name Pawn type spin default 100 min 0 max 400\noption name Knight type spin default 300 min 0 max 310\noption name Curve type spin default 10 min 0 max 100\noption name Idle type spin default 5 min 0 max 9")
				fmt.Println("option name Switch type spin default 0 min 0 max 1\noption name Hash type spin default 16 min 1 max 64")
			}
			fmt.Println("option name Book type check default true\nuciok")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			values[words[2]], _ = strconv.Atoi(words[4])
		case "position":
			fen := strings.Join(words[2:], " ")
			if words[1] == "startpos" {
				fen = strings.TrimSpace(chess.Of(g.New()).FEN() + " " + fen)
			}
			at = vectors.Must(g.Parse(fen))
		case "go":
			cp, best, most := count(), game.NoMove, 0
			sign := 1 - 2*int(at.Turn())
			if asked++; mode == "unsteady" {
				cp += asked
			}
			for _, m := range at.Moves(nil) {
				at.Play(m)
				if n := sign * count(); best == game.NoMove || n > most {
					best, most = m, n
				}
				at.Undo()
			}
			fmt.Printf("info depth 1 score cp %d\nbestmove %s\n", sign*cp, g.Dialect("uci").Move(at, best))
		case "quit":
			return
		}
	}
}

// tuner returns Options for tuning the fake engine, whose value for a pawn is too low.
func tuner(t *testing.T, mode, dir, positions string) *Options {
	o := &Options{Positions: positions, Rows: 300, Games: Games{Games: 3}}
	o.Race = Race{Pairs: 8, Test: &stats.SPRT{High: 50, Alpha: 0.05, Beta: 0.05, Scale: stats.Normalised}, Confirm: 8, Seed: 5, Dir: dir}
	o.World, o.Widths, o.Book, o.Name = world(t, "chess"), []float64{10, 50}, arena.Book{Plies: 6, Within: 1}, "eval"
	o.Engine = engine.Maker{Spec: "uci:cmd=(" + os.Args[0] + " engine " + mode + "),depth=1,option.Pawn=40", File: "weights.csv"}
	o.Fit = fit.Options{Integers: true, Penalty: fit.Determined, Scale: fit.Scale{Prior: true}, Seed: 5}
	return o
}

// TestOptions checks that columns are exactly equal to the engine's counts, that other kinds of
// options are left out with a reason, and that values stay within their limits.
func TestOptions(t *testing.T) {
	dir, w := t.TempDir(), world(t, "chess")
	agentGames(t, w, "alphabeta:depth=1", 12, 2, dir)
	first := filepath.Join(t.TempDir(), "a")
	found := vectors.Must(tuner(t, "good", first, dir).Run(t.Context()))
	out := map[string]string{}
	for _, x := range found.Options {
		if out[x.Name] = x.Out; x.Out == "" && (x.Linear != 1 || x.Changed == 0 || x.Values["width 50"] < x.Min || x.Values["width 50"] > x.Max) {
			t.Errorf("%+v", x)
		}
	}
	if want := map[string]string{"Pawn": "", "Knight": "", "Curve": "not linear", "Idle": "changes no score", "Switch": "at most two values", "Hash": "changes no score", "Book": "not an integer option"}; !maps.Equal(out, want) {
		t.Errorf("%v are out, want %v", out, want)
	}
	read := func(name string) [][]string {
		text := vectors.Must(os.ReadFile(filepath.Join(first, name)))
		return vectors.Must(csv.NewReader(bytes.NewReader(text)).ReadAll())
	}
	positions, rows := read("positions.csv"), read("table.csv")
	if len(rows) != len(positions) || len(rows) != 301 || found.Rows != 300 {
		t.Fatalf("%d rows of %d positions", len(rows), len(positions))
	}
	for i, row := range rows[1:] {
		board, _, _ := strings.Cut(positions[i+1][2], " ")
		n := func(piece string) int {
			return strings.Count(board, strings.ToUpper(piece)) - strings.Count(board, piece)
		}
		want := []string{positions[i+1][0], positions[i+1][3], fmt.Sprint(500 * n("r")), fmt.Sprint(n("p")), fmt.Sprint(n("n"))}
		if !slices.Equal(row[:5], want) {
			t.Fatalf("row %d is %q, want %q", i+1, row, want)
		}
	}
}

// TestNoOptions checks that unsuitable engines and options are rejected with a one-line error.
func TestNoOptions(t *testing.T) {
	epd := filepath.Join(t.TempDir(), "a.epd")
	vectors.Check(os.WriteFile(epd, []byte("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 0;\n"), 0o666))
	for want, change := range map[string]func(o *Options){
		"there is no suitable integer option": func(o *Options) { o.Engine.Spec = strings.Replace(o.Engine.Spec, "good", "bare", 1) },
		"depend on the order":                 func(o *Options) { o.Engine.Spec = strings.Replace(o.Engine.Spec, "good", "unsteady", 1) },
		"no integer option":                   func(o *Options) { o.Patterns = []string{"pawn", "Rook*"} },
		"from 0 to 400":                       func(o *Options) { o.Engine.Spec += "1" },
		"no such program":                     func(o *Options) { o.Engine.Spec = "uci:cmd=(no such),depth=1" },
		"want a UCI engine":                   func(o *Options) { o.Engine.Spec = "alphabeta:depth=1" },
		"has a proportional effect":           func(o *Options) { o.Patterns = []string{"idle"} },
		"with a result":                       func(o *Options) { o.Positions = epd },
	} {
		dir := t.TempDir()
		agentGames(t, world(t, "chess"), "alphabeta:depth=1", 2, 1, dir)
		o := tuner(t, "good", t.TempDir(), dir)
		change(o)
		if _, err := o.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want a line with %q", err, want)
		}
	}
}
