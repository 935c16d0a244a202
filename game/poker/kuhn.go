package poker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
)

// A player's moves in Kuhn poker. Nature's moves are the cards, with 0 the lowest.
const (
	pass game.Move = iota // add nothing: a check, or a fold after a bet
	bet                   // add a second chip
)

const maxPlayers = 10

type rules struct{ players int }

// NewKuhn returns Kuhn poker with the option players, from 2 (the default) to 10. There is one more
// card than there are players.
func NewKuhn(o *game.Options) (*game.Game, error) {
	r := &rules{players: o.Int("players", 2, 2, maxPlayers)}
	return &game.Game{
		Name:      "kuhn",
		Spec:      o.Spec("kuhn"),
		Doc:       "Kuhn poker: one card each, one bet; hidden cards; players=2 (to 10); moves pass bet",
		Players:   r.players,
		Sum:       game.Zero,
		Min:       -2,
		Max:       float64(2 * (r.players - 1)),
		Hidden:    true,
		MaxPlies:  3 * r.players,
		New:       func() game.State { return &Kuhn{rules: r} },
		Parse:     r.parse,
		ParseMove: game.FindMove,
	}, o.Err()
}

// Kuhn is a position of Kuhn poker.
type Kuhn struct {
	*rules
	line  [3 * maxPlayers]int8 // cards in player order, then the bets
	plies int                  // number of entries of line that have been played
	first int                  // number of calls to Play that cannot be undone
}

var (
	_ game.HiddenState = (*Kuhn)(nil)
	_ game.Chancer     = (*Kuhn)(nil)
	_ game.Drawer      = (*Kuhn)(nil)
	_ game.Illustrator = (*Kuhn)(nil)
)

// Card returns p's card, from 0 for the lowest card to the number of players for the highest, or -1
// if p has no card yet.
func (s *Kuhn) Card(p game.Player) int {
	if int(p) >= s.plies {
		return -1
	}
	return int(s.line[p])
}

// bets returns the players' moves so far.
func (s *Kuhn) bets() []int8 { return s.line[min(s.players, s.plies):s.plies] }

// opened returns the index of the first bet in bets, or -1 if there is none.
func (s *Kuhn) opened() int { return slices.Index(s.bets(), int8(bet)) }

// Paid returns the number of chips that p has paid into the pot, including the ante.
func (s *Kuhn) Paid(p game.Player) int {
	for i, b := range s.bets() {
		if i%s.players == int(p) && game.Move(b) == bet {
			return 2
		}
	}
	return 1
}

// Facing reports whether another player has bet and p has not yet responded.
func (s *Kuhn) Facing(p game.Player) bool {
	n, at := len(s.bets()), s.opened()
	return at >= 0 && (int(p)-at+s.players)%s.players >= n-at && at%s.players != int(p)
}

// Folded reports whether p has passed after a bet.
func (s *Kuhn) Folded(p game.Player) bool {
	return s.opened() >= 0 && s.Paid(p) == 1 && !s.Facing(p)
}

// Players returns the number of players.
func (s *Kuhn) Players() int { return s.players }

func (s *Kuhn) Turn() game.Player {
	if s.plies < s.players {
		return game.Chance
	}
	n, at := len(s.bets()), s.opened()
	if at < 0 && n == s.players || at >= 0 && n == at+s.players {
		return game.Nobody
	}
	return game.Player(n % s.players)
}

// Moves implements [game.State]: the remaining cards, or pass and bet.
func (s *Kuhn) Moves(dst []game.Move) []game.Move {
	switch s.Turn() {
	case game.Nobody:
		return dst
	case game.Chance:
		for c := range game.Move(s.players + 1) {
			if !slices.Contains(s.line[:min(s.plies, s.players)], int8(c)) {
				dst = append(dst, c)
			}
		}
		return dst
	}
	return append(dst, pass, bet)
}

func (s *Kuhn) Play(m game.Move) {
	s.line[s.plies] = int8(m)
	s.plies++
}

func (s *Kuhn) Undo() { game.StepBack(&s.plies, s.first, "kuhn") }

// Utility implements [game.State]. It returns the number of chips that p has won, or minus the
// number lost. The pot goes to the highest card among the players who bet, or among all players if
// there was no bet.
func (s *Kuhn) Utility(p game.Player) float64 {
	opened, winner, pot := s.opened() >= 0, game.Player(-1), 0
	for q := range game.Player(s.players) {
		paid := s.Paid(q)
		pot += paid
		if (!opened || paid == 2) && (winner < 0 || s.line[q] > s.line[winner]) {
			winner = q
		}
	}
	if p == winner {
		return float64(pot - s.Paid(p))
	}
	return -float64(s.Paid(p))
}

// Prob implements [game.Chancer]. Each remaining card is equally likely.
func (s *Kuhn) Prob(game.Move) float64 { return 1 / float64(s.players+1-s.plies) }

// For implements [game.Chancer]. It returns the player who receives the card.
func (s *Kuhn) For() game.Player { return game.Player(s.plies) }

func (s *Kuhn) Hash() uint64 {
	h := uint64(s.plies)
	for _, m := range s.line[:s.plies] {
		h = game.Mix(h<<4 ^ uint64(m))
	}
	return game.Mix(h)
}

func (s *Kuhn) Clone() game.State {
	c := *s
	c.first = c.plies
	return &c
}

// Info implements [game.HiddenState]. It returns the position with question marks for the other
// players' cards.
func (s *Kuhn) Info(p game.Player) string { return string(s.AppendInfo(nil, p)) }

// Sample implements [game.HiddenState]. It draws the other players' cards from the cards that p
// does not hold.
func (s *Kuhn) Sample(p game.Player, rng *rand.Rand) game.State {
	c := s.Clone().(*Kuhn)
	var deck [maxPlayers + 1]int8
	n := 0
	for card := range int8(s.players + 1) {
		if int(card) != s.Card(p) {
			deck[n], n = card, n+1
		}
	}
	for q := range min(s.plies, s.players) {
		if q == int(p) {
			continue
		}
		at := rng.IntN(n)
		c.line[q], deck[at], n = deck[at], deck[n-1], n-1
	}
	return c
}

// String implements [game.State]. It returns the cards in player order, followed by the moves, with
// p for pass and b for bet: `2 0 pb`. Before the first card, it returns `-`.
func (s *Kuhn) String() string { return s.Info(game.Nobody) }

// AppendInfo appends the result of Info, or the whole position if p is [game.Nobody].
func (s *Kuhn) AppendInfo(out []byte, p game.Player) []byte {
	if s.plies == 0 {
		return append(out, '-')
	}
	for q, c := range s.line[:min(s.plies, s.players)] {
		if q > 0 {
			out = append(out, ' ')
		}
		if p >= 0 && q != int(p) {
			out = append(out, '?')
		} else {
			out = strconv.AppendInt(out, int64(c), 10)
		}
	}
	for i, b := range s.bets() {
		if i == 0 {
			out = append(out, ' ')
		}
		out = append(out, "pb"[b])
	}
	return out
}

// MoveString implements [game.State]: pass, bet, or the card.
func (s *Kuhn) MoveString(m game.Move) string {
	switch {
	case s.plies < s.players:
		return strconv.Itoa(int(m))
	case m == pass:
		return "pass"
	}
	return "bet"
}

func (s *Kuhn) Draw(bool) string {
	var b strings.Builder
	turn := s.Turn()
	for p := range game.Player(s.players) {
		mark := " "
		if p == turn {
			mark = ">"
		}
		card := "-"
		if c := s.Card(p); c >= 0 {
			card = strconv.Itoa(c)
		}
		fmt.Fprintf(&b, "%s player %d  card %s  chips %s", mark, p, card, strings.Repeat("o", s.Paid(p)))
		if s.Folded(p) {
			b.WriteString("  folded")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (r *rules) parse(text string) (game.State, error) {
	s := &Kuhn{rules: r}
	if err := read(s, "kuhn", text, "pb", fmt.Sprintf("a card from 0 to %d", r.players)); err != nil {
		return nil, err
	}
	s.first = s.plies
	return s, nil
}
