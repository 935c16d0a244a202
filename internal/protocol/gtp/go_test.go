package gtp

import (
	"context"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gogame"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestGoServer: what programs for go ask besides: a komi, a score before the end, and
// two moves of one colour in a row.
func TestGoServer(t *testing.T) {
	g := vectors.Must(gogame.New(game.NewOptions("go", "size=5")))
	a := vectors.Must(search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 1}))
	for _, c := range []struct{ in, want string }{
		{"boardsize 9\nboardsize 5\nfinal_score", "? unacceptable size\n\n= \n\n= W+7.5\n\n"},
		{"komi 0.5\nplay b c3\nfinal_score\nclear_board\nplay b c3\nfinal_score", "= \n\n= \n\n= B+24.5\n\n= \n\n= \n\n= B+24.5\n\n"},
		{"komi x\nkomi\nkomi nan\nkomi 1e9", "? syntax error\n\n? syntax error\n\n? syntax error\n\n? syntax error\n\n"},
		{"play b c3\nplay b i3\nplay b d3\nplay w c3\nundo\nundo\nundo", "= \n\n? illegal move\n\n= \n\n? illegal move\n\n= \n\n= \n\n? cannot undo\n\n"},
		{"play b pass\nplay b pass\nplay w pass\ngenmove b", "= \n\n? illegal move\n\n= \n\n= pass\n\n"},
		{"play b a2\nplay b b1\nplay w a1", "= \n\n= \n\n? illegal move\n\n"},
	} {
		var out strings.Builder
		sv := &Server{Name: "test", Game: g, Agent: a}
		vectors.Check(sv.Serve(context.Background(), strings.NewReader(c.in+"\n"), &out))
		if out.String() != c.want {
			t.Errorf("%q is answered with %q, want %q", c.in, out.String(), c.want)
		}
	}
}
