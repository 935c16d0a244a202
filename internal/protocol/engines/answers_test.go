//go:build unix

package engines

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/gtp"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/protocol/uci"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func TestMain(m *testing.M) { protocoltest.Main(m, chatter) }

// strays lists unrequested lines for each protocol. NEXT stands for the number of the next
// question.
var strays = map[string][]string{
	"uci":     {"bestmove a2a3", "id name x\nbestmove a2a3", "info depth 9 score cp 900 pv a2a3", "bestmove", "", strings.Repeat("bestmove a2a3\n", 1000)},
	"gtp":     {"= D3\n", "? no\n", "=", "= \n \t", "thinking", ""},
	"lines":   {`{"id": NEXT, "answer": "1"}`, `{"id": 1, "answer": "1"}`, "thinking", ""},
	"referee": {"0 1", "draw draw", "thinking"},
}

// cycle is a sequence of moves that returns to the starting position of chess.
var cycle = []string{"g1f3", "g8f6", "f3g1", "f6g8"}

// opening contains the first moves of a game of othello.
var opening = []string{"c4", "c5", "f6", "c3", "b5", "g7", "e3", "e6"}

// patient is the number of answers before the unrequested lines begin. It is used for programs
// whose protocol has no command to synchronise.
const patient = 3

// chatter is a program that prints strays after its answers.
func chatter(mode string) {
	var name string
	var seed uint64
	fmt.Sscan(mode, &name, &seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	moves, asked := 0, 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words, answer, ends := strings.Fields(in.Text()), "", "\n"
		switch asked++; name + " " + words[0] {
		case "uci uci":
			answer = "uciok"
		case "uci isready":
			answer = "readyok"
		case "uci position":
			moves = max(0, len(words)-9) // after the FEN and "moves"
		case "uci go":
			answer, ends = "bestmove "+cycle[moves%4]+"\x00", "\n\x00"
		case "gtp protocol_version":
			answer, ends = "= 2", "\n \n"
		case "gtp clear_board":
			moves, answer, ends = 0, "=", "\n\t\n"
		case "gtp genmove":
			answer, ends = "= "+opening[moves], "\n\n"
			moves++
		default:
			answer, ends = "=", "\n\n"
		}
		switch name {
		case "lines":
			var q protocol.Question
			vectors.Check(json.Unmarshal(in.Bytes(), &q))
			answer, ends = fmt.Sprintf(`{"id": %d, "answer": %q}`, q.ID, q.Moves[q.ID%7]), "\n"
		case "referee":
			answer, ends = "1 0", "\n"
		}
		if answer == "" {
			continue
		}
		said := answer + ends
		if words[0] == "genmove" || words[0] == "go" { // the next question follows immediately
			os.Stdout.WriteString(said)
			said = ""
		}
		for n := rng.IntN(3); n >= 0 && (name == "uci" || name == "gtp" || asked >= patient); n-- {
			said += strings.ReplaceAll(strays[name][rng.IntN(len(strays[name]))], "NEXT", fmt.Sprint(asked+1)) + "\n"
		}
		// Output that is still being written when go is sent would arrive after the question. To
		// avoid this, the lines are written at once: a single write of at most PIPE_BUF bytes
		// arrives as a whole.
		if whole := 4096; words[0] == "isready" && len(said) > whole {
			said = said[:strings.LastIndex(said[:whole], "\n")+1]
		}
		os.Stdout.WriteString(said)
	}
}

// TestOneAnswer checks that the answer is the first line after the question, no matter what a
// program prints before it. If the protocol has no command to synchronise, a line that arrives
// early is a fault.
func TestOneAnswer(t *testing.T) {
	for name, game := range map[string]string{"uci": "chess", "gtp": "othello", "lines": "connect4", "referee": "tictactoe"} {
		for seed := range 10 {
			w, mode := vectors.Must(catalog.All().World(game)), fmt.Sprint(name, " ", seed)
			launcher := &program.Launcher{Command: protocoltest.Command(mode)}
			answers, fault := 0, error(nil)
			if name == "referee" {
				file := filepath.Join(t.TempDir(), "a")
				vectors.Check(os.WriteFile(file, nil, 0o666))
				r := &protocol.Referee{Command: fmt.Sprintf("env 'FAKE_ENGINE=%s' '%s'", mode, os.Args[0])}
				vectors.Check(r.Check())
				play, _, err := r.Between(file, file)
				vectors.Check(err)
				session, points := play(), [2]float64{}
				for ; fault == nil && answers < 8; answers++ {
					if points, fault = session.Pair(t.Context(), 1); fault == nil && points != [2]float64{1, 0} {
						t.Fatalf("%s: %v", mode, points)
					}
				}
			} else {
				agent := protocol.NewAnswerer(protocol.AnswererConfig{Game: w.Game, Command: launcher.Command, Limits: protocol.Limits{Answer: time.Minute}})
				switch name {
				case "uci":
					agent = vectors.Must(uci.New(uci.Config{Game: w.Game, Launcher: launcher, Depth: 1}))
				case "gtp":
					agent = vectors.Must(gtp.New(gtp.Config{Game: w.Game, Launcher: launcher}))
				}
				defer search.Close(agent)
				agent.Begin(1)
				for s := w.New(); fault == nil && answers < 8; answers++ {
					var r search.Result
					if r, fault = agent.Search(t.Context(), s); fault != nil {
						break
					}
					want := map[string]string{"uci": cycle[answers%4], "gtp": opening[answers], "lines": fmt.Sprint((answers+1)%7 + 1)}[name]
					if got := s.MoveString(r.Move); got != want {
						t.Fatalf("%s: answer %d is %s, want %s", mode, answers, got, want)
					}
					if name != "lines" {
						s.Play(r.Move)
					}
				}
			}
			if refuses := name == "lines" || name == "referee"; (fault != nil) != refuses || refuses && answers > patient {
				t.Errorf("%s: %d answers, then %v", mode, answers, fault)
			}
		}
	}
}
