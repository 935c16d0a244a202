package serve

import (
	"math"
	"net/url"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// textOf returns the text of phrases.
func textOf(said []phrase) string {
	var b strings.Builder
	for _, p := range said {
		b.WriteString(p.Text)
	}
	return b.String()
}

// TestWho checks the phrases for the players, the turn and the result, for persons and agents in
// one, two and three seats.
func TestWho(t *testing.T) {
	const mix = "mix(0.6*(alphabeta:depth=1,quiescence=on),0.4*(alphabeta:depth=2))"
	for _, c := range []struct {
		spec, seats, position string
		who, said             string
	}{
		{"connect4", "|alphabeta:depth=4", "44", "You are Red, the computer (medium) is Yellow.", "Your turn, Red"},
		{"connect4", "alphabeta:depth=4|", "1213141", "You are Yellow, the computer (medium) is Red.", "Red wins. You lost."},
		{"connect4", "|", "4", "You play Red and Yellow.", "Yellow to move"},
		{"connect4", "|", "1213141", "You play Red and Yellow.", "Red wins."},
		{"chess", "|" + mix, "", "You are White, a mix of alphabeta depth 1 (60%) and alphabeta depth 2 (40%) is Black.", "Your turn, White"},
		{"tictactoe", "random|expectimax:depth=2,eval=zero", "XOXXOOOXX -", "random is X, expectimax depth 2 with zero is O.", "A draw."},
		{"2048", "", "", "You play alone.", "Your turn"},
		{"2048", "expectimax:depth=3", "", "Expectimax depth 3 plays alone.", ""},
		{"tree", "|random", "", "You are Max, random is Min.", "Your turn, Max"},
		{"kuhn:players=3", "||", "", "You play player 0, player 1 and player 2.", "Player 0 to move"},
		{"kuhn:players=3", "|random|random", "2 0 1 bpb", "You are player 0, random is player 1, random is player 2.", "Player 0 wins: player 0 gets 3, player 1 gets -1, player 2 gets -2. You won."},
	} {
		w, err := catalog.All().World(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		seats, s := strings.Split(c.seats, "|"), w.New()
		if c.position != "" {
			if s, err = w.Parse(c.position); err != nil {
				t.Fatal(err)
			}
		}
		if got := textOf(who(w, seats)); got != c.who {
			t.Errorf("%s, %q: %q, want %q", c.spec, seats, got, c.who)
		}
		for s.Turn() == game.Chance {
			s.Play(s.Moves(nil)[0])
		}
		got := ""
		switch {
		case s.Turn() == game.Nobody:
			got = textOf(ended(w, s, seats))
		case seats[s.Turn()] == "":
			got = textOf(turn(w, s, seats))
		}
		if got != c.said {
			t.Errorf("%s at %s, %q: %q, want %q", c.spec, s, seats, got, c.said)
		}
	}
}

// TestNumbers checks that numbers have three significant digits, that whole numbers have all
// digits, and that values in chess are in pawns.
func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{0.14013: "0.14", 8.327e-18: "0", math.Copysign(0, -1): "0", 7.6667: "7.67", 12: "12", 18435: "18435", 1234.56: "1235", -3: "-3", 54.5: "54.5", 0.00012345: "0.000123"} {
		if got := number(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	chess := vectors.Must(catalog.All().World("chess"))
	for x, want := range map[float64]string{0: "+0.00", 9.0 / 11: "+4.00", -9.0 / 11: "-4.00", 1: "a win", -1: "a loss"} {
		if got := valued(chess, x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// TestSpelledMoves checks that chess moves, including promotions, are shown in standard notation,
// and that moves can still be made in the notation of programs.
func TestSpelledMoves(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"chess"}, "position": {"6k1/P7/6K1/8/8/8/8/8 w - - 0 1"}})
	board := v.want(at, nil)
	for _, want := range []string{`value="a7a8q">a8=Q#</button>`, `value="a7a8n">a8=N</button>`} {
		if !strings.Contains(board, want) {
			t.Errorf("no %s in %s", want, board)
		}
	}
	if why := v.want(at+"/why", nil); !strings.Contains(why, ">a8=R#</button>") || !strings.Contains(why, "in pawns") || !strings.Contains(why, ">a win<") {
		t.Errorf("values of the moves: %s", why)
	}
	board = v.want(at+"/move", url.Values{"move": {"a7a8q"}})
	if !strings.Contains(board, "</span> wins.") || !strings.Contains(board, "a8=Q#") {
		t.Errorf("after the promotion: %s", board)
	}
}

// TestHiddenCards checks that a person sees their own cards, and that the other cards stay hidden
// until the game is over.
func TestHiddenCards(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"leduc"}, "position": {"Ks Qh"}, "seat1": {"random"}})
	board := v.want(at, nil)
	if !strings.Contains(board, ">K</text>") || !strings.Contains(board, ">♠</text>") || !strings.Contains(board, ">hidden</text>") || strings.Contains(board, ">Q</text>") {
		t.Errorf("at play: %s", board)
	}
	if !strings.Contains(board, `id="moves" open`) {
		t.Error("moves without places on the board are not shown")
	}
	at = v.open(url.Values{"game": {"leduc"}, "position": {"Ks Qh rf"}})
	if board := v.want(at, nil); !strings.Contains(board, ">Q</text>") || strings.Contains(board, ">hidden</text>") {
		t.Errorf("at the end: %s", board)
	}
}
