package doudizhu

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
)

// String implements [game.State]. It returns the hands, separated by slashes, followed by the cards
// on the table while there are any. After these, it gives the stage:
//
//	334/-/- deal
//	HAND/HAND/HAND/TABLE bid 01
//	HAND/HAND/HAND landlord 0 stake 1 plays 100 turn 1 on 55 by 0
//	HAND/HAND/HAND landlord 0 stake 1 plays 211 turn 2
//	HAND/-/HAND landlord 0 stake 1 plays 222 over
//
// The digits after plays are the number of plays of each player, up to 2. In bids, 0 is a pass.
func (s *State) String() string { return s.text(game.Nobody) }

// Info implements [game.HiddenState]. It returns the position with only the number of cards in
// each of the other hands and on the table, followed by all cards that p has not seen.
func (s *State) Info(p game.Player) string { return s.text(p) }

// text returns the position as player p knows it, or the whole position if p is negative.
func (s *State) text(p game.Player) string {
	at := s.at()
	out := make([]byte, 0, 128)
	write := func(c *Cards, shown bool) {
		if shown {
			out = c.append(out)
		} else {
			out = strconv.AppendInt(append(out, '?'), int64(c.Count()), 10)
		}
	}
	for q := range at.hands {
		if q > 0 {
			out = append(out, '/')
		}
		write(&at.hands[q], p < 0 || q == int(p))
	}
	if at.stage == bidding || at.stage == over && at.landlord == none {
		out = append(out, '/')
		write(&at.bottom, p < 0)
	}
	out = s.status(out)
	if p >= 0 {
		unseen := s.Unseen(p)
		out = unseen.append(append(out, " unseen "...))
	}
	return string(out)
}

func (s *State) status(out []byte) []byte {
	at := s.at()
	number := func(word string, n int64) {
		out = strconv.AppendInt(append(append(append(out, ' '), word...), ' '), n, 10)
	}
	switch {
	case at.stage == dealing:
		return append(out, " deal"...)
	case at.landlord == none:
		out = append(out, " bid "...)
		for _, b := range at.bids[:at.offers] {
			out = append(out, '0'+byte(b))
		}
		if at.offers == 0 {
			out = append(out, '-')
		}
		return out
	}
	number("landlord", int64(at.landlord))
	number("stake", int64(at.stake))
	out = append(out, " plays "...)
	for _, n := range at.plays {
		out = append(out, '0'+byte(n))
	}
	if at.stage == over {
		return append(out, " over"...)
	}
	number("turn", int64(at.turn))
	if at.last != Pass {
		play := PlayOf(at.last)
		out = play.append(append(out, " on "...))
		number("by", int64(at.by))
	}
	return out
}

func (s *State) Draw(colour bool) string {
	at := s.at()
	var b strings.Builder
	for p := range at.hands {
		mark, name := " ", "farmer  "
		if game.Player(p) == s.Turn() {
			mark = ">"
		}
		switch {
		case at.landlord == none:
			name = "player  "
		case p == int(at.landlord):
			name = "landlord"
		}
		hand := string(at.hands[p].append(nil))
		if p == int(at.landlord) {
			hand = text.Paint(colour, hand, text.Fg(220))
		}
		fmt.Fprintf(&b, "%s %s %d  %s\n", mark, name, p, hand)
	}
	if last, by := s.Last(); last.Kind != Other && at.stage == playing {
		fmt.Fprintf(&b, "  to beat: %s of player %d\n", last.append(nil), by)
	}
	return b.String()
}

func (r *rules) parse(text string) (game.State, error) {
	in := &game.Words{Game: "doudizhu", Text: text}
	p := position{landlord: none}
	hands := in.Next()
	parts := strings.Split(hands, "/")
	if len(parts) != Players && len(parts) != Players+1 {
		return nil, in.Refuse("three hands separated by slashes, optionally followed by the table")
	}
	var all Cards
	for i, part := range parts {
		c, ok := readCards(part)
		for rank, n := range c {
			all[rank] += n
			ok = ok && all[rank] <= full[rank]
		}
		if !ok {
			return nil, in.Refuse("cards of one deck, each hand sorted from 3 to the jokers (B, R), or - for an empty hand")
		}
		if i == Players {
			p.bottom = c
		} else {
			p.hands[i] = c
		}
	}
	s := r.state(p)
	stage := in.Next()
	var err error
	switch {
	case len(parts) > Players && stage != "bid":
		err = in.Refuse("bid, because there are cards on the table")
	case stage == "deal":
		err = s.readDeal(in)
	case stage == "bid" && r.bid && len(parts) > Players:
		err = s.readBids(in)
	case stage == "landlord":
		err = s.readPlay(in)
	default:
		err = in.Refuse("deal, landlord, or (with bid=on) bid")
	}
	if err == nil {
		err = in.End()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readDeal checks the hands of a deal that is not complete.
func (s *State) readDeal(in *game.Words) error {
	at := s.at()
	last := 1
	if s.bid {
		last = 2
	}
	for p := range at.hands {
		n := at.hands[p].Count()
		full := n == s.size(p)
		switch {
		case p > last && n > 0, n > s.size(p), p == last && full, !full && p < 2 && at.hands[p+1].Count() > 0:
			return in.Refuse("hands that are dealt one after the other, with at least one incomplete hand")
		}
	}
	return nil
}

func (s *State) readBids(in *game.Words) error {
	at := s.at()
	for p := range at.hands {
		if at.hands[p].Count() != handSize {
			return in.Refuse("hands of 17 cards")
		}
	}
	if at.bottom.Count() != bottom {
		return in.Refuse("three cards on the table")
	}
	at.stage = bidding
	word := in.Next()
	if word == "-" {
		return nil
	}
	for _, c := range word {
		if at.stage != bidding || c < '0' || c > '0'+maxBid || c != '0' && int8(c-'0') <= at.highest() {
			return in.Refuse("bids, each higher than the previous bid, or 0 for a pass")
		}
		at.offer(int8(c - '0'))
	}
	if word == "" || at.stage == playing {
		return in.Refuse("unfinished bidding, or three passes")
	}
	return nil
}

func (s *State) readPlay(in *game.Words) error {
	at := s.at()
	landlord := in.Number(0, Players-1, "a landlord")
	if landlord != 0 && !s.bid {
		return in.Refuse("landlord 0, because bid=off")
	}
	most := 1
	if s.bid {
		most *= maxBid
	}
	if s.points {
		most <<= 15
	}
	in.Key("stake")
	stake := in.Number(1, most, "a stake")
	if err := in.Err(); err != nil {
		return err
	}
	at.begin(int8(landlord), 1)
	at.stake = int32(stake)
	if err := s.readCounts(in); err != nil {
		return err
	}
	switch in.Next() {
	case "over":
		return s.readEnd(in)
	case "turn":
	default:
		return in.Refuse("turn, or over")
	}
	turn := in.Number(0, Players-1, "a player")
	at.turn, at.by = int8(turn), int8(turn)
	for p := range at.hands {
		if at.hands[p].Count() == 0 {
			return in.Refuse("three non-empty hands, or the word over")
		}
	}
	if !in.More() {
		return in.Err()
	}
	in.Key("on")
	return s.readLast(in)
}

// readCounts reads the number of plays made by each player and checks that the hands are consistent
// with it.
func (s *State) readCounts(in *game.Words) error {
	at := s.at()
	if word := in.Next(); word != "plays" {
		return in.Refuse("plays")
	}
	word := in.Next()
	if len(word) != Players {
		return in.Refuse("a digit from 0 to 2 for each player")
	}
	for p, c := range word {
		size := handSize
		if p == int(at.landlord) {
			size += bottom
		}
		gone := size - at.hands[p].Count()
		if c < '0' || c > '2' || gone < int(c-'0') || (gone > 0) != (c > '0') {
			return in.Refuse("a number of plays for each player that is at most 2 and consistent with the hands")
		}
		at.plays[p] = int8(c - '0')
	}
	return nil
}

// readEnd determines the winner.
func (s *State) readEnd(in *game.Words) error {
	at := s.at()
	empty := 0
	for p := range at.hands {
		if at.hands[p].Count() == 0 {
			empty++
			at.by, at.turn = int8(p), int8((p+1)%Players)
		}
	}
	if empty != 1 {
		return in.Refuse("one hand without cards")
	}
	at.stage = over
	return nil
}

// readLast reads the play to beat and its player. The cards of the play must not be in any hand.
func (s *State) readLast(in *game.Words) error {
	at := s.at()
	word := in.Next()
	gone := s.undealt()
	var cards Cards // cards of the play, which limit the number of possible plays
	for _, c := range strings.ReplaceAll(word, "-", "") {
		rank := strings.IndexRune(symbols, c)
		if rank < 0 || cards[rank] == gone[rank] {
			return in.Refuse("a play with cards that are no longer in any hand")
		}
		cards[rank]++
	}
	g := generator{hand: &cards, four: s.four}
	g.plays()
	for _, m := range g.dst {
		if play := PlayOf(m); string(play.append(nil)) == word {
			at.last = m
		}
	}
	if at.last == Pass {
		return in.Refuse("a play with cards that are no longer in any hand")
	}
	in.Key("by")
	by := in.Number(0, Players-1, "a player")
	if int8(by) == at.turn || at.plays[by] == 0 {
		return in.Refuse("a different player who has made a play")
	}
	at.by = int8(by)
	return nil
}
