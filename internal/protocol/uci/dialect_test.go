package uci

import (
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/tictactoe"
	"plyfit/internal/vectors"
)

func newGame(t testing.TB, name string) *game.Game {
	t.Helper()
	makers := map[string]func(*game.Options) (*game.Game, error){"chess": chess.New, "connect4": connect4.New, "tictactoe": tictactoe.New}
	return vectors.Must(makers[name](game.NewOptions(name)))
}

// TestDialects checks all positions and moves of random games. Formatting and parsing a position
// must not change it. Move names must be unique, and parsing them must return the same moves.
func TestDialects(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"chess", "connect4", "tictactoe"} {
		g := newGame(t, name)
		d := vectors.Must(dialectOf(g))
		for range 30 {
			s := g.New()
			for ply := 0; ply < 120; ply++ {
				text := vectors.Must(d.Format(s))
				back, err := position(d, g, strings.Fields(text))
				if err != nil || back.String() != s.String() || back.Hash() != s.Hash() {
					t.Fatalf("%s: %s was sent as %q and read as %v, %v", name, s, text, back, err)
				}
				moves := s.Moves(nil)
				if len(moves) == 0 {
					break
				}
				for _, m := range moves {
					if got, err := d.ParseMove(s, d.Move(s, m)); err != nil || got != m {
						t.Fatalf("%s: %s: %v is %s, read as %v, %v", name, s, m, d.Move(s, m), got, err)
					}
				}
				s.Play(moves[rng.IntN(len(moves))])
			}
		}
	}
}

// TestCutechess checks positions and moves as written by cutechess 1.5.1, which defines these
// variants.
func TestCutechess(t *testing.T) {
	connect := "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1"
	for _, c := range []struct{ game, position, want string }{
		{"connect4", "fen " + connect, "start"},
		{"connect4", "fen " + connect + " moves P@d1 P@d2 P@e1", "445"},
		{"connect4", "fen 7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2", "445"},
		{"connect4", "startpos moves P@a1", "1"},
		{"tictactoe", "fen 3/3/3[PPPPPpppp] w - - 0 1", "......... X"},
		{"tictactoe", "fen 3/3/3[PPPPPpppp] w - - 0 1 moves P@a3 P@c1", "X.......O X"},
		{"tictactoe", "fen 1p1/1P1/3[PPPPppp] w - - 0 2", ".O..X.... X"},
		{"tictactoe", "fen PPP/pp1/3[PPpp] b - - 0 3", "XXXOO.... -"},
		{"chess", "startpos moves e2e4 e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
		{"chess", "fen 8/P7/8/8/8/k7/8/K7 w - - 0 1 moves a7a8q", "Q7/8/8/8/8/k7/8/K7 b - - 0 1"},
	} {
		g := newGame(t, c.game)
		d, _ := dialectOf(g)
		s, err := position(d, g, strings.Fields(c.position))
		if err != nil || s.String() != c.want && s.Hash() != vectors.Must(g.Parse(c.want)).Hash() {
			t.Errorf("%s: %s is %v, %v, want %s", c.game, c.position, s, err, c.want)
		}
	}
	for _, c := range []struct{ game, position, want string }{
		{"connect4", "fen 7/7/7/7/7/3p3[P] b - - 0 1", "the first player has 0 pieces and the second player has 1"},
		{"connect4", "fen 7/7/7/7/3P3/7[P] b - - 0 1", "no piece below d2"},
		{"connect4", "fen 7/7/7/7/7[P] b - - 0 1", "want 6 rows of 7 cells separated by /; found only 5"},
		{"connect4", "fen 7/7/7/7/7/8[P] w - - 0 1", "row 6 from the top has more"},
		{"connect4", "fen 7/7/7/7/7/PPPPppp[P] w - - 0 1", "want b to move"},
		{"connect4", "fen 7/7/7/7/6p/PPPPppp[P] w - - 0 1", "no game leads to this position"}, // four in a row, and a stone after it
		{"connect4", "startpos moves P@d2", "move 1, P@d2: want one of P@a1"},
		{"tictactoe", "fen 3/3/2X w", "want P, p, a number of empty squares, or /"},
		{"chess", "startpos moves e2e5", "move 1, e2e5"},
		{"chess", "fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"},
		{"chess", "", "want startpos or fen"},
		{"chess", "fen", "want startpos or fen"},
		{"chess", "startpos startpos", "want startpos or fen"},
	} {
		g := newGame(t, c.game)
		d, _ := dialectOf(g)
		if s, err := position(d, g, strings.Fields(c.position)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s is %v, %v, want an error with %q", c.game, c.position, s, err, c.want)
		}
	}
}
