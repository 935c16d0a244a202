package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// examples returns a copy of the folder rules. It skips the test if a program is missing, or if
// "npm" is needed and PLYFIT_NPM does not name a folder with chessops and boardgame.io.
func examples(t *testing.T, needs ...string) string {
	t.Helper()
	dir := t.TempDir()
	vectors.Check(os.CopyFS(dir, os.DirFS("rules")))
	for _, program := range needs {
		if folder := os.Getenv("PLYFIT_NPM"); program == "npm" && folder != "" {
			vectors.Check(os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")))
		} else if _, err := exec.LookPath(program); program == "npm" || err != nil {
			t.Skipf("no %s", program)
		}
	}
	return dir
}

// times matches output that differs from run to run.
var times = regexp.MustCompile(` +\d+\.\d\ds +\d+\.\d M/s|\d+ questions per second`)

// TestRulesPages runs the commands of the pages about games in other languages. They must print the
// output shown.
func TestRulesPages(t *testing.T) {
	for page, needs := range map[string][]string{
		"python": {"python3"}, "javascript": {"node"}, "c": {"cc"}, "adapters": {"node", "npm"},
	} {
		t.Run(page, func(t *testing.T) {
			dir, said, shown := examples(t, needs...), "", 0
			for _, b := range blocks(vectors.Must(os.ReadFile(filepath.Join("rules", page+".md"))), "sh|text") {
				if b[1] == "sh" {
					said = shell(t, dir, b[2])
					continue
				}
				shown++
				if got, want := times.ReplaceAllString(said, ""), times.ReplaceAllString(b[2], ""); got != want {
					t.Errorf("it prints\n%s\nthe page says\n%s", got, want)
				}
			}
			if shown == 0 {
				t.Error("the page shows no output")
			}
		})
	}
}

// TestRulesPaths compares the numbers of paths in the examples with known numbers or, for a variant
// of fairy-stockfish, with its numbers.
func TestRulesPaths(t *testing.T) {
	for _, c := range []struct {
		command, needs string
		depth          int
		positions      string // one a line; default: the start
		known          []int  // by depth
		variant        string
	}{
		{"python3 breakthrough.py", "python3", 3, `oooooooooooooooo................................xxxxxxxxxxxxxxxx x
.ooo.oooo..oo.oo.oo...o.o..........o..x..xxx.xx.xx..xxx.x.x.xx.x x
..o..ooo..oo.xo.ooo..o...ox..x......xx.o.xx....xo...xxx.xx....xx o`, nil, "breakthrough"},
		// All games have 12 or 24 lines, which players draw in any order.
		{"node dots.js 2", "node", 4, "", []int{12, 12 * 11, 12 * 11 * 10, 12 * 11 * 10 * 9}, ""},
		{"node dots.js 3", "node", 3, "", []int{24, 24 * 23, 24 * 23 * 22}, ""},
		// Another implementation of the rules has 18, 324 and 6162 pairs of a die and a move.
		{"./ewn", "cc", 6, "", []int{6, 18, 18 * 6, 324, 324 * 6, 6162}, ""},
		{"node boardgameio.mjs tictactoe.mjs", "node npm", 5, "", []int{9, 72, 504, 3024, 15120}, ""},
		// A turn is one to three sticks and an event, which is automatic after three.
		{"node boardgameio.mjs testdata/sticks.mjs", "node npm", 5, "", []int{1, 2, 3, 4, 7}, ""},
		{"node chessops.mjs kingofthehill", "node npm", 3, chess + " w KQkq - 0 1", nil, "kingofthehill"},
		{"node chessops.mjs kingofthehill", "node npm", 2, `r1b1qb1r/1ppp1kpp/2n2p1n/p3p3/P3PPP1/N2Q3P/1PPP2B1/R1B1K1NR w KQ - 3 1
1r2k1r1/pppn1p1p/3p3b/3b2p1/P1PP1pPq/N5P1/RP1BP2P/3QKB1R b - - 1 1`, nil, "kingofthehill"},
		{"node chessops.mjs racingkings", "node npm", 3, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", nil, "racingkings"},
		{"node chessops.mjs racingkings", "node npm", 2, `8/8/8/8/4bN2/kN4K1/qb3R1Q/rr2nBR1 w - - 5 1
7Q/8/1B4R1/1r4R1/8/q1r5/3nN1B1/1kbn2K1 b - - 15 1`, nil, "racingkings"},
		{"node chessops.mjs antichess", "node npm", 3, chess + ` w - - 0 1
r4bnr/p1pk1p1p/n3p1p1/1p6/7P/2P1B3/PPN1KP2/R5NR w - - 0 1
4k2r/r4p1p/p7/3N2B1/8/3P4/6PP/3RKBR1 b - - 0 1`, nil, "antichess"},
		{"node chessops.mjs 3check", "node npm", 2, `1rbqkb1r/3pnp2/pp6/P1p1p1pp/P2P3P/6PN/1RP1PPB1/1NBQK1R1 w k - 3+3 0 1
1n1q1bnr/r1ppp1p1/pp5p/6k1/PP1Bp3/1bPPKP1P/4P1P1/R2Q1BNR b - - 3+3 0 1`, nil, "3check"},
		{"node chessops.mjs horde", "node npm", 2, `r1bqkbr1/Ppp1p1pp/P1P1PpPn/3P1P2/2PP1PPP/PPPPPPPP/1PPP1PPP/PPnPPPPP w q - 0 1
1r2k3/3b1pbr/N2p1Ppp/P4P1P/PPPP1PPP/1PP1PPP1/PPPPPPPP/PPP1PPPP b - - 0 1`, nil, "horde"},
		// The numbers are published. Debian's fairy-stockfish does not have the variant.
		{"node chessops.mjs atomic", "node npm", 2, "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", []int{40, 1238}, ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			dir := examples(t, strings.Fields(c.needs)...)
			if c.needs == "cc" {
				shell(t, dir, "cc -O2 -o ewn ewn.c")
			}
			line, want := "plyfit perft --json --depth "+strconv.Itoa(c.depth)+" 'rules:cmd=("+c.command+")'", c.known
			if c.positions != "" {
				line = "echo '" + c.positions + "' | " + line + " --position -"
			}
			if c.variant != "" {
				want = fairy(t, c.variant, c.depth, c.positions)
			}
			var got []int
			for line := range strings.Lines(shell(t, dir, line)) {
				var row struct{ Leaves int }
				vectors.Check(json.Unmarshal([]byte(line), &row))
				got = append(got, row.Leaves)
			}
			if !slices.Equal(got, want) {
				t.Errorf("paths %v, want %v", got, want)
			}
		})
	}
}

// chess is the first position of chess and antichess.
const chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

// fairy returns the numbers of paths from each of the positions according to fairy-stockfish.
func fairy(t *testing.T, variant string, depth int, positions string) []int {
	t.Helper()
	engine, err := exec.LookPath("fairy-stockfish")
	if err != nil {
		engine, err = exec.LookPath("/usr/games/fairy-stockfish")
	}
	if err != nil {
		t.Skip("no fairy-stockfish")
	}
	in := "setoption name UCI_Variant value " + variant + "\n"
	for _, fen := range strings.Split(positions, "\n") {
		if variant == "breakthrough" { // the cells and the side to move
			rows := strings.Join(regexp.MustCompile("[.ox]{8}").FindAllString(fen, -1), "/")
			rows = regexp.MustCompile(`\.+`).ReplaceAllStringFunc(rows, func(run string) string { return strconv.Itoa(len(run)) })
			side := map[string]string{"x": "w", "o": "b"}[fen[65:]]
			fen = strings.NewReplacer("x", "P", "o", "p").Replace(rows) + " " + side + " - - 0 1"
		}
		in += "position fen " + fen + "\n"
		for d := 1; d <= depth; d++ {
			in += fmt.Sprintf("go perft %d\n", d)
		}
	}
	cmd := exec.CommandContext(t.Context(), engine)
	cmd.Stdin = strings.NewReader(in + "quit\n")
	var counts []int
	for _, m := range regexp.MustCompile(`Nodes searched: (\d+)`).FindAllSubmatch(vectors.Must(cmd.Output()), -1) {
		counts = append(counts, vectors.Must(strconv.Atoi(string(m[1]))))
	}
	return counts
}
