package uci

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func TestMain(m *testing.M) { protocoltest.Main(m, fake) }

// fake acts as an engine. The mode selects a fault, usually in the answer to go.
func fake(mode string) {
	in := bufio.NewScanner(os.Stdin)
	position := ""
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "uci":
			switch mode {
			case "silent":
				continue
			case "xboard":
				fmt.Println("tellics say fake\nError (unknown command): uci")
				continue
			case "stranger":
				fmt.Println("Hello! This is no chess engine.\n> ")
				continue
			}
			fmt.Println("id name fake\noption name Skill Level type spin default 20 min 0 max 20\noption name Style type combo default a b var a b var c")
			if mode == "drops" {
				fmt.Println("option name UCI_Variant type combo default chess var chess var cfour var tictactoe")
			}
			fmt.Println("uciok")
		case "isready":
			fmt.Println("readyok")
		case "setoption":
			fmt.Fprintln(os.Stderr, in.Text())
		case "position":
			position = rest
		case "stop":
			if mode == "slow" {
				fmt.Println("bestmove g1f3")
			}
		case "quit":
			return
		case "go":
			switch mode {
			case "good":
				fmt.Println("info depth 1 score cp -30 nodes 20 time 1 pv a2a3")
				fmt.Println("info depth 2 seldepth 3 multipv 1 score cp 100 nodes 40 nps 7 time 2 hashfull 0 tbhits 0 pv e2e4 e7e5 e7e5")
				fmt.Println("info depth 2 multipv 2 score cp -100 pv a2a3\ninfo depth 3 score cp 900 lowerbound nodes 50\ninfo string score cp 5 pv d2d4")
				fmt.Println("bestmove e2e4 ponder e7e5")
			case "mates":
				fmt.Println("info depth 5 score mate 3\nbestmove e2e4")
			case "mated":
				fmt.Println("info depth 5 score mate -2\nbestmove e2e4")
			case "tells": // repeats its input
				fmt.Fprintf(os.Stderr, "%s | %s", position, rest)
				os.Exit(1)
			case "drops":
				fmt.Println("info depth 1 score cp 0 pv P@b2\nbestmove P@b2")
			case "illegal":
				fmt.Println("bestmove e2e5")
			case "none":
				fmt.Println("bestmove (none)")
			case "bare":
				fmt.Println("bestmove")
			case "dies":
				fmt.Fprintln(os.Stderr, "out of ideas")
				os.Exit(7)
			case "noise":
				for {
					if _, err := fmt.Print("\x00\xff bestmov\n\ninfo depth \ninfo score cp pv\n"); err != nil {
						return
					}
				}
			}
		}
	}
}

func newAgent(t *testing.T, name, mode string, change func(*Config)) *protocol.Player {
	t.Helper()
	cfg := Config{Game: newGame(t, name), Depth: 1, Timeout: 20 * time.Second,
		Launcher: &program.Launcher{Command: protocoltest.Command(mode)}}
	if change != nil {
		change(&cfg)
	}
	a := vectors.Must(New(cfg))
	t.Cleanup(func() { a.Close() })
	a.Begin(1)
	return a
}

func lineOf(s game.State, line []game.Move) (out []string) {
	s = s.Clone()
	for _, m := range line {
		out = append(out, s.MoveString(m))
		s.Play(m)
	}
	return out
}

func TestAnswer(t *testing.T) {
	a := newAgent(t, "chess", "good", func(c *Config) { c.Options = []Option{{"skill level", "3"}} })
	s := newGame(t, "chess").New()
	for range 3 { // one engine for several games
		a.Begin(1)
		r := vectors.Must(a.Search(context.Background(), s))
		want := protocol.Utility(100, -1, 1)
		if line := lineOf(s, r.PV); r.Value != want || r.Values[0] != want || r.Values[1] != -want || r.Depth != 3 || r.Nodes != 50 ||
			r.Elapsed != 2*time.Millisecond || fmt.Sprint(line) != "[e2e4 e7e5]" || s.MoveString(r.Move) != "e2e4" {
			t.Errorf("%+v, line %v", r, line)
		}
	}
	for mode, want := range map[string]float64{"mates": 1, "mated": -1} {
		if r, err := newAgent(t, "chess", mode, nil).Search(context.Background(), s); err != nil || r.Value != want {
			t.Errorf("%s: %v, %v", mode, r.Value, err)
		}
	}
	c := newGame(t, "connect4").New()
	c.Play(1)
	if r, err := newAgent(t, "connect4", "drops", nil).Search(context.Background(), c); err != nil || r.Move != 1 {
		t.Errorf("%v, %v", r.Move, err)
	}
}

// TestOrder checks the position and the limits that engines receive.
func TestOrder(t *testing.T) {
	s := newGame(t, "chess").New()
	for _, name := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} { // a repetition, which a FEN cannot represent
		m := vectors.Must(game.FindMove(s, name))
		s.Play(m)
	}
	// The deadline is so far away that the speed of the machine does not matter.
	deadline, cancel := context.WithTimeout(context.Background(), 1000*time.Second)
	defer cancel()
	for _, c := range []struct {
		ctx    context.Context
		change func(*Config)
		want   string
	}{
		{context.Background(), nil, "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves g1f3 g8f6 f3g1 f6g8 | depth 1"},
		{context.Background(), func(c *Config) { c.Depth, c.Nodes, c.Time = 0, 500, 70*time.Millisecond }, "| nodes 500 movetime 70"},
		{deadline, nil, "| depth 1 movetime 9"}, // followed by five more digits
	} {
		_, err := newAgent(t, "chess", "tells", c.change).Search(c.ctx, s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestFaults checks that each kind of engine fault produces the right error, and that an engine at
// fault is not kept.
func TestFaults(t *testing.T) {
	s := newGame(t, "chess").New()
	var a *protocol.Player
	protocoltest.Blame(t, s, func(mode string, timeout time.Duration) search.Agent {
		if a != nil && a.PID() != 0 {
			t.Errorf("before %s: an engine at fault is kept", mode)
		}
		a = newAgent(t, "chess", mode, func(c *Config) {
			if timeout > 0 {
				c.Timeout = timeout
			}
		})
		return a
	}, map[string][2]string{
		"silent":   {program.Time, "no uciok in time: want an engine that speaks UCI"},
		"stranger": {program.Time, "no uciok in time: want an engine that speaks UCI"},
		"xboard":   {program.Unreadable, `says "Error (unknown command): uci", want an engine that speaks UCI`},
		"thinks":   {program.Time, "no bestmove in time"},
		"noise":    {program.Time, "no bestmove in time"},
		"illegal":  {program.Illegal, `answers "e2e5" at rnbqkbnr`},
		"none":     {program.Illegal, `answers "(none)"`},
		"bare":     {program.Unreadable, `says "bestmove", want bestmove and a move`},
		"dies":     {program.Crash, `ended (exit status 7), saying "out of ideas" before it sent the bestmove`},
	})
	a = newAgent(t, "connect4", "good", nil)
	if _, err := a.Search(context.Background(), newGame(t, "connect4").New()); err == nil || !strings.Contains(err.Error(), "UCI_Variant with var cfour") {
		t.Errorf("%v", err)
	}
}

// TestOptions checks that options are compared with those that the engine offers and are sent in
// the engine's spelling.
func TestOptions(t *testing.T) {
	offers := map[string]Offer{}
	for _, line := range []string{
		"name Skill Level type spin default 20 min 0 max 20", "name Hash type spin default 1", "name Style type combo default Solid var Solid var Risky Way",
		"name Ponder type check default false", "name Clear Hash type button", "name Log File type string default <empty>", "name Odd",
	} {
		o := readOption(strings.Fields(line))
		offers[o.Name] = o
	}
	for _, c := range []struct{ name, value, want, fault string }{
		{"Skill Level", "20", "setoption name Skill Level value 20", ""},
		{"Skill Level", "21", "", "option Skill Level=21: want a whole number from 0 to 20"},
		{"Skill Level", "-1", "", "want a whole number from 0 to 20"},
		{"Skill Level", "3.5", "", "want a whole number from 0 to 20"},
		{"Skill Level", "99999999999999999999", "", "want a whole number from 0 to 20"},
		{"Hash", "-7", "setoption name Hash value -7", ""},
		{"Hash", "big", "", "want a whole number"},
		{"Style", "risky way", "setoption name Style value Risky Way", ""},
		{"Style", "wild", "", "option Style=wild: want one of Solid, Risky Way"},
		{"Ponder", "True", "setoption name Ponder value true", ""},
		{"Ponder", "1", "", "want true or false"},
		{"Clear Hash", "on", "setoption name Clear Hash", ""},
		{"Clear Hash", "true", "", "want on, because the option is a button"},
		{"Log File", "a b", "setoption name Log File value a b", ""},
		{"Odd", "x", "setoption name Odd value x", ""},
	} {
		line, err := offers[c.name].set(c.value)
		if line != c.want || (err != nil) != (c.fault != "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s=%s: %q, %v, want %q, %q", c.name, c.value, line, err, c.want, c.fault)
		}
	}
}

// TestDeadline checks that an engine that exceeds the deadline receives the command stop, and that
// its move is then accepted. If an engine ignores stop, the search must return the context's error.
func TestDeadline(t *testing.T) {
	s := newGame(t, "chess").New()
	a := newAgent(t, "chess", "slow", nil)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if r, err := a.Search(ctx, s); err != nil || s.MoveString(r.Move) != "g1f3" {
		t.Errorf("%v, %v", r.Move, err)
	}
	protocoltest.Ends(t, s, newAgent(t, "chess", "thinks", nil))
}

func TestNothingToSay(t *testing.T) {
	a := newAgent(t, "tictactoe", "drops", nil)
	g := newGame(t, "tictactoe")
	if r, err := a.Search(context.Background(), vectors.Must(g.Parse("XXXOO.... -"))); err != nil || r.Move != game.NoMove {
		t.Errorf("%v, %v", r, err)
	}
	hostile, err := game.WithSlip(g, 0.5)
	if err == nil {
		hostile, err = game.WithAdversary(hostile)
	}
	if err != nil {
		t.Skip(err)
	}
	s := hostile.New()
	s.Play(s.Moves(nil)[0]) // nature decides whether the move slips
	if _, err := a.Search(context.Background(), s); err == nil && s.Turn() >= 0 && game.Base(s).Turn() != s.Turn() {
		t.Error("it plays for nature")
	}
	if _, err := New(Config{Game: g}); err == nil {
		t.Error("no limit is no error")
	}
}

// FuzzReplies checks that any engine output is parsed without failure, and that the results are
// valid.
func FuzzReplies(f *testing.F) {
	for _, seed := range []string{
		"info depth 12 seldepth 20 multipv 1 score cp 23 nodes 100 nps 1000 hashfull 5 tbhits 0 time 100 pv e2e4 e7e5",
		"info score mate -3 pv", "info depth", "info pv e2e4 score cp 1 lowerbound depth 9223372036854775808", "info string depth 3",
		"info time -4 nodes -9 depth -1 multipv", "info score cp 99999999999999999999 score cp -1", "info time 9223372036854775807",
		"option name A B type spin default 1 min 0 max 2", "option type name var var", "name type var a name b", "\xff\x00",
	} {
		f.Add(seed)
	}
	g := vectors.Must(dialectOf(newGame(f, "chess")))
	start := newGame(f, "chess").New()
	f.Fuzz(func(t *testing.T, line string) {
		var n info
		n.read("info depth 2 score cp 7")
		n.read(line)
		n.read("info " + line)
		readOption(strings.Fields(line)).set("1")
		a := agent{cfg: Config{Game: newGame(t, "chess")}, dialect: g}
		r := search.Result{Move: start.Moves(nil)[0]}
		a.take(&r, start, &n)
		if !(r.Value >= -1 && r.Value <= 1) || len(r.Values) != 2 || r.Values[0] != r.Value || r.Depth < 0 || r.Nodes < 0 || r.Elapsed < 0 || len(r.PV) == 0 || r.PV[0] != r.Move {
			t.Errorf("%q: %+v", line, r)
		}
		if m, err := g.ParseMove(start, line); err == nil && !strings.EqualFold(start.MoveString(m), line) {
			t.Errorf("%q is %s", line, start.MoveString(m))
		}
	})
}

// TestEngines plays two games with each external engine, which must win, against random moves.
func TestEngines(t *testing.T) {
	for command, options := range map[string][]Option{
		"stockfish":      {{"hash", "16"}, {"Skill Level", "20"}},
		"toga2":          {{"OwnBook", "false"}},
		"gnuchess --uci": {{"OwnBook", "false"}},
	} {
		t.Run(command, func(t *testing.T) {
			g := newGame(t, "chess")
			a := vectors.Must(New(Config{Game: g, Launcher: &program.Launcher{Command: protocoltest.Engine(t, command, "stockfish toga2 gnuchess")}, Depth: 2, Options: options}))
			defer a.Close()
			mates := 0
			wins := protocoltest.Play(t, g, a, 2, func(s game.State, _ game.Move, r *search.Result) {
				if r == nil {
					return
				}
				if r.Depth < 1 || len(r.Values) != 2 {
					t.Errorf("%s: depth %d, values %v", s, r.Depth, r.Values)
				}
				if s.Play(r.Move); s.Turn() == game.Nobody && r.Value == 1 {
					mates++
				}
				s.Undo()
			})
			if wins != 2 || mates != 2 {
				t.Errorf("it wins %d of 2 games against random moves, and says of %d last moves that they mate", wins, mates)
			}
		})
	}
}
