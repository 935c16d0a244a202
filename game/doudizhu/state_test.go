package doudizhu

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

var long = flag.Int("games", 0, "hold so many random games against the law")

func TestLaw(t *testing.T) {
	o := gametest.Options{Playouts: 80}
	if *long > 0 {
		o.Playouts = *long
	}
	for _, text := range []string{"doudizhu", "doudizhu:bid=on,score=points", "doudizhu:four=off"} {
		gametest.Law(t, gametest.New(t, New, text), o)
	}
	gametest.Refuse(t, New, "doudizhu:players=4", "doudizhu:score=chips")
}

// TestPlaysInTheAbstract counts the plays from a full deck that use at most twenty cards. The
// counts match OpenSpiel's, which distinguishes airplanes by their main part. 766 airplanes have
// the same cards as another airplane. If they are not counted, there are 27,472 moves including the
// pass, as in RLCard.
func TestPlaysInTheAbstract(t *testing.T) {
	deck := full
	g := generator{hand: &deck, four: true}
	g.plays()
	type class struct {
		kind  Kind
		chain bool
	}
	counts, cards := map[class]int{}, map[string]int{}
	for _, m := range g.dst {
		p := PlayOf(m)
		if p.move() != m {
			t.Fatalf("%+v is written as another move", p)
		}
		counts[class{p.Kind, p.Kind < FourSolos && p.Length > 1}]++
		c := p.Cards()
		cards[string(c.append(nil))+" "+string(rune('0'+p.Kind))]++
	}
	for c, want := range map[class]int{
		{Solos, false}: 15, {Solos, true}: 36, {Pairs, false}: 13, {Pairs, true}: 52, {Trios, false}: 13, {Trios, true}: 45,
		{TriosSolos, false}: 182, {TriosSolos, true}: 22588, {TriosPairs, false}: 156, {TriosPairs, true}: 2939,
		{FourSolos, false}: 1326, {FourPairs, false}: 858, {Bomb, false}: 13, {Rocket, false}: 1,
	} {
		if counts[c] != want {
			t.Errorf("kind %d, chains %v: %d plays, want %d", c.kind, c.chain, counts[c], want)
		}
	}
	single := 1 // the pass
	for _, n := range cards {
		if n == 1 {
			single++
		}
	}
	if single != 27472 || len(g.dst)+1-single != 766 {
		t.Errorf("%d moves, %d more that can be read in two ways; want 27,472 and 766", single, len(g.dst)+1-single)
	}
}

// TestPlaythrough replays OpenSpiel's playthrough (dou_dizhu.txt) from the end of the deal, and
// compares the numbers of legal moves. In OpenSpiel, a face-up card determines who bids first.
// Here, player 0 does.
func TestPlaythrough(t *testing.T) {
	p := gametest.Playthrough{
		Position: "345678899TJQQQK22/34466899TTJQKKAAB/345556778JJKAA22R/37T bid -",
		Moves: "pass 3 T K pass A R pass pass 555-A QQQ-5 pass pass 6 B pass pass 9TJQKA pass pass 44 pass 22 pass pass 7 pass J K pass A pass pass " +
			"8 J K 2 pass pass 7 T pass 2 pass pass 6 pass T pass pass 66 pass 99 pass pass 8 9 J pass pass 4 pass pass 7 pass pass 3",
		Counts:  map[int]int{0: 4, 1: 4, 2: 52, 3: 6, 4: 2, 5: 3, 6: 3, 7: 1, 9: 30, 29: 1, 31: 1, 33: 9, 59: 1, 61: 2, 63: 2},
		Returns: []float64{3, -6, 3},
	}
	p.Follow(t, gametest.New(t, New, "doudizhu:bid=on,four=off,score=points"))
}

// TestBeats checks which plays may follow others, and the effect of plays on the stake.
func TestBeats(t *testing.T) {
	g := gametest.New(t, New, "doudizhu:score=points")
	for _, c := range []struct{ position, want string }{
		{"34/4555577BR/88 landlord 0 stake 1 plays 111 turn 1 on 66 by 0", "pass 77 5555 BR"},
		{"34/4555577BR/88 landlord 0 stake 1 plays 111 turn 1 on 6666 by 0", "pass BR"},
		{"34/44455577/88 landlord 0 stake 1 plays 111 turn 1 on 333-A by 2", "pass 444-5 444-7 555-4 555-7"},
		{"34/44455577/88 landlord 0 stake 1 plays 111 turn 1", "4 5 7 44 55 77 444 444555 555 444-5 444-7 444555-77 555-4 555-7 444-55 444-77 555-44 555-77"},
		{"34/56789TJ/88 landlord 0 stake 1 plays 111 turn 1 on 34567 by 0", "pass 56789 6789T 789TJ"},
		{"34/5555/88 landlord 0 stake 4 plays 111 turn 1 on BR by 0", "pass"},
	} {
		s := vectors.Must(g.Parse(c.position))
		var got []string
		for _, m := range s.Moves(nil) {
			got = append(got, s.MoveString(m))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", s, got, c.want)
		}
	}
	s := vectors.Must(g.Parse("34/BR/88 landlord 0 stake 2 plays 111 turn 1 on 66 by 0"))
	m := vectors.Must(g.ParseMove(s, "BR"))
	if s.Play(m); s.Utility(0) != -16 || s.Utility(1) != 8 {
		t.Errorf("a rocket and a spring from a stake of 2: the landlord gets %v, want -16", s.Utility(0))
	}
}

// TestBids checks that bidding ends after a bid of 3, after a bid followed by two passes, and after
// three passes.
func TestBids(t *testing.T) {
	g := gametest.New(t, New, "doudizhu:bid=on")
	for bids, want := range map[string]string{
		"3": "landlord 0 stake 3", "1 pass pass": "landlord 0 stake 1", "pass 1 2 pass pass": "landlord 2 stake 2", "pass pass pass": "bid 000", "1 2 pass 3": "landlord 0 stake 3",
	} {
		s := g.New()
		rng := rand.New(rand.NewPCG(1, 2))
		for s.Turn() == game.Chance {
			s.Play(game.Drawn(s, s.Moves(nil), rng.Float64()))
		}
		for _, name := range strings.Fields(bids) {
			m := vectors.Must(g.ParseMove(s, name))
			s.Play(m)
		}
		if !strings.Contains(s.String(), want) {
			t.Errorf("%s: %s, want %s", bids, s, want)
		}
		if l := s.(*State).Landlord(); l >= 0 && s.(*State).Hand(l).Count() != 20 {
			t.Errorf("%s: the landlord has %d cards", s, s.(*State).Hand(l).Count())
		}
	}
}

// TestUnreadable checks that impossible positions are rejected.
func TestUnreadable(t *testing.T) {
	g := gametest.New(t, New, "doudizhu")
	for _, text := range []string{
		"3/4/5 landlord 1 stake 1 plays 111 turn 1", "3/4/5 landlord 0 stake 1 plays 011 turn 1", "33333/4/5 landlord 0 stake 1 plays 111 turn 1",
		"3/4/5 landlord 0 stake 1 plays 111 turn 1 on 7 by 1", "3/4/5 landlord 0 stake 1 plays 111 turn 1 on 3456 by 0", "3/-/5 landlord 0 stake 1 plays 111 turn 1",
		"3/4/5 landlord 0 stake 1 plays 111 over", "3/4/- deal", "-/4/- deal", "3/4/5/6 bid -", "3/4/5 landlord 0 stake 2 plays 111 turn 1", "43/-/- deal", "3/-/- deal now",
	} {
		if s, err := g.Parse(text); err == nil {
			t.Errorf("%q is read as %q", text, s)
		}
	}
}

// FuzzParse checks that a printed position can be read back, that samples agree with the player's
// knowledge, and that every move can be played and undone.
func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "doudizhu:bid=on,score=points,four=off"), false, func(t *testing.T, s game.State) {
		h := s.(game.HiddenState)
		for p := range game.Player(Players) {
			drawn := h.Sample(p, rand.New(rand.NewPCG(1, 2))).(game.HiddenState)
			if drawn.Info(p) != h.Info(p) {
				t.Fatalf("%q: player %d knows %s, in a sample %s", s, p, h.Info(p), drawn.Info(p))
			}
		}
		before := s.String()
		for _, m := range s.Moves(nil) {
			s.Play(m)
			s.Undo()
		}
		if s.String() != before {
			t.Fatalf("%q became %q", before, s)
		}
	}, "345/6677/2 landlord 0 stake 1 plays 222 turn 1 on 55 by 0", "334/-/- deal", "-/-/- deal",
		"345678899TJQQQK22/34466899TTJQKKAAB/345556778JJKAA22R/37T bid -",
		"34/44455577/88 landlord 0 stake 4 plays 111 turn 1 on 333-A by 2", "3333-45/6/7 landlord 2 stake 3 plays 012 turn 2")
}
