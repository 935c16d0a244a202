package cli_test

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/protocol/protocoltest"
)

// TestUCISession runs a session of plyfit uci chess, as a graphical interface or a match runner
// would. It checks the answers to each command in order. Info lines may precede an answer.
func TestUCISession(t *testing.T) {
	const (
		info  = `info depth \d+ score (cp -?\d+|mate -?[1-9]\d*) nodes \d+ nps \d+ time \d+( pv( [a-h][1-8][a-h][1-8][qrbn]?)+)?`
		move  = `bestmove [a-h][1-8][a-h][1-8][qrbn]?`
		other = `info string .+`
	)
	steps := []struct {
		say  string
		want []string // expected lines, in order; info lines may precede any of them
	}{
		// Handshake.
		{"uci", []string{"id name plyfit chess", "id author .+", "option name Model type string default handwritten",
			"option name Depth type spin default 0 min 0 max 1000", "option name Hash type spin default 8 min 1 max 65536",
			"option name Threads type spin default 1 min 1 max 256", "option name Move Overhead type spin default 30 min 0 max 5000", "option name Ponder type check default false", "uciok"}},
		{"debug on", nil},
		{"setoption name Hash value 16", nil},
		{"setoption name Threads value 2", nil},
		{"setoption name Move Overhead value 10", nil},
		{"setoption name Ponder value false", nil},
		{"isready", []string{"readyok"}},
		{"register later", nil},
		// The first game: depth, nodes, time, clocks.
		{"ucinewgame", nil},
		{"isready", []string{"readyok"}},
		{"position startpos", nil},
		{"go depth 3", []string{"info depth 1 .+", "info depth 2 .+", "info depth 3 .+ pv .+ .+ .+", move}},
		{"position startpos moves e2e4 e7e5", nil},
		{"go nodes 5000", []string{info, move}},
		{"position startpos moves e2e4 e7e5 g1f3 b8c6", nil},
		{"go movetime 100", []string{info, move}},
		{"go wtime 3000 btime 3000 winc 0 binc 0", []string{info, move}},
		{"go wtime 1000 btime 1000 winc 50 binc 50 movestogo 20", []string{info, move}},
		{"go btime 1000 wtime 1", []string{move}},
		{"go depth 2 movetime 1000 nodes 100000 wtime 1000", []string{"info depth 2 .+", move}},
		// Stop, and questions while it thinks.
		{"position startpos moves d2d4", nil},
		{"go infinite", []string{"info depth 2 .+"}},
		{"isready", []string{"readyok"}},
		{"ponderhit", nil},
		{"isready", []string{"readyok"}},
		{"setoption name Depth value 4", []string{other}},
		{"stop", []string{move}},
		{"stop", nil},
		{"go", []string{"info depth 4 .+", move}}, // depth limit from the option Depth
		{"setoption name depth value 0", nil},
		{"go ponder wtime 1000 btime 1000", []string{"info depth 3 .+"}},
		{"ponderhit", []string{move}},
		{"go infinite", []string{"info depth 1 .+"}},
		{"go depth 1", []string{move, "info depth 1 .+", move}}, // a new go stops the search
		// Proven values: mate in one, mate in two, mate against the engine, stalemate, and
		// repetition.
		{"position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", nil},
		{"go depth 5", []string{"info depth 1 score mate 1 .+ pv a1a8", "bestmove a1a8"}},
		{"position fen r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", nil}, // Legal's mate
		{"go depth 6", []string{"info depth [1-3] score mate 2 .+ pv d5f6.*", "bestmove d5f6"}},
		{"position fen 7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", nil},
		{"go depth 4", []string{"info depth 2 score mate -1 .+", "bestmove h8h7"}},
		{"position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", nil},
		{"go depth 4", []string{"bestmove 0000"}},
		{"position fen 8/8/8/8/8/k7/8/K1q5 w - - 0 1", nil},
		{"go infinite", nil},
		{"stop", []string{"bestmove 0000"}},
		// Malformed input.
		{"position startpos moves e2e4 e7e6 e4e6", []string{`info string move 3, e4e6: .+go answers 0000 until a valid position is sent`}},
		{"position fen 9/8/8/8/8/8/8/8 w - - 0 1", []string{other}},
		{"position fen 8/8/8/8/8/8/8/8 w - - 0 1", []string{other}},
		{"position", []string{other}},
		{"position moon", []string{other}},
		{"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4", []string{"info string .+want nothing after the position.+"}},
		{"go depth 2", []string{"info string no position is set; .+", "bestmove 0000"}}, // no move for the earlier position
		{"position fen rnb1kbnr/ppp1pppp/8/4q3/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - hmvc 2; fmvn 0; moves d1e2", nil},
		{"go depth 1", []string{"info depth 1 .+", move}},
		{"position startpos", nil},
		{"go depth -4 movetime 30", []string{other, move}},
		{"setoption name Hash value lots", []string{other}},
		{"setoption name Hash value 0", []string{other}},
		{"setoption name Contempt value 3", []string{"info string setoption Contempt: no such option"}},
		{"setoption", []string{other}},
		{"setoption name Model value nowhere.json", nil},
		{"isready", []string{"info string agent eval=nowhere.json: no such file: .+", other, "readyok"}},
		{"setoption name Model value zero", nil},
		{"go depth 2", []string{"info depth 2 score cp 0 .+", move}},
		{"setoption name Model value <empty>", nil},
		{"go depth 2", []string{"info depth 2 score cp -?[1-9].+", move}},
		{"mumble", []string{"info string unknown command mumble"}},
		{"\x00\xff\x7f", []string{other}},
		{"", nil},
		{"please isready", []string{"readyok"}}, // unknown words are ignored
		{strings.Repeat("x", 2<<20), []string{"info string ignored a line longer than 1048576 bytes"}},
		{"isready", []string{"readyok"}},
	}
	var log strings.Builder
	session := spoken(t, &log, "uci", "chess", "--agent", "alphabeta:quiescence=on,table=8")
	form := regexp.MustCompile("^(" + info + ")$")
	for n, step := range steps {
		session.Say(step.say)
		for _, want := range step.want {
			fits := regexp.MustCompile("^(" + want + ")$")
			for found := false; !found; {
				line := session.Hear("", "")
				if found = fits.MatchString(line); strings.HasPrefix(line, "info depth") {
					if !form.MatchString(line) {
						t.Errorf("step %d, %.80q: %q", n+1, step.say, line)
					}
				} else if !found {
					t.Fatalf("step %d, %.80q: %q, want %s", n+1, step.say, line, want)
				}
			}
		}
	}
	session.Say("quit")
	if session.Close(); log.String() != "" {
		t.Error(log.String())
	}
}

// spoken starts a session with a command that is an engine.
func spoken(t *testing.T, log io.Writer, args ...string) *protocoltest.Session {
	return protocoltest.Open(t, func(in io.Reader, out io.Writer) error {
		if code := cli.Run(context.Background(), catalog.All(), args, in, out, log); code != 0 {
			return fmt.Errorf("exit code %d", code)
		}
		return nil
	})
}

// TestUCIAgentLimits checks that limits in --agent apply to go commands with three other limits,
// and that they end a go command without limits. An infinite search still waits for stop.
func TestUCIAgentLimits(t *testing.T) {
	nodes := regexp.MustCompile(`nodes (\d+)`)
	for _, agent := range []string{"alphabeta:nodes=2000", "minimax:nodes=2000", "alphabeta:time=20ms", "mcts:simulations=50"} {
		s := spoken(t, io.Discard, "uci", "chess", "--agent", agent)
		for _, order := range []string{"go", "go depth 60", "go wtime 3600000 btime 3600000", "go movetime 20000"} {
			s.Say(order)
			for line := ""; !strings.HasPrefix(line, "bestmove"); {
				line = s.Hear("", "")
				if found := nodes.FindStringSubmatch(line); found != nil && strings.Contains(agent, "nodes=") && len(found[1]) > 4 || strings.HasPrefix(line, "info depth 60 ") {
					t.Errorf("%s: %s", agent, line)
				}
			}
		}
		s.Say("go infinite")
		s.Quiet("^bestmove")
		s.Say("stop")
		s.Hear("^bestmove", "")
		s.Close()
	}
}
