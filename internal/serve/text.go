package serve

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/session"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// This file contains the page's phrases for players, turns, results and values.

// A phrase is part of a sentence. A phrase with a Class is a player's name, which is shown in the
// colour of the Class if that is one of [swatches].
type phrase struct{ Text, Class, Title string }

// swatches lists the player colours that the style sheet defines.
var swatches = []string{"black", "red", "white", "yellow"}

func plain(text string) phrase { return phrase{Text: text} }

// side returns the name of player p, for use in a sentence.
func side(w *catalog.World, p game.Player) phrase {
	name := w.Side(p)
	class := "seat"
	if lower := strings.ToLower(name); slices.Contains(swatches, lower) {
		class += " " + lower
	}
	return phrase{Text: name, Class: class}
}

func first(p phrase) phrase {
	p.Text = text.Capital(p.Text)
	return p
}

// who describes the players, as in "You are Red, the computer (hard) is Yellow."
func who(w *catalog.World, seats []string) (out []phrase) {
	var you []phrase
	for p, agent := range seats {
		if agent == "" {
			if len(you) > 0 {
				you = append(you, plain(", "))
			}
			you = append(you, side(w, game.Player(p)))
		}
	}
	if n := len(you); n > 1 {
		you[n-2] = plain(" and ")
	}
	switch {
	case len(seats) == 1 && len(you) == 1:
		return []phrase{plain("You play alone.")}
	case len(seats) == 1:
		return []phrase{{Text: text.Capital(named(w, seats[0])), Title: seats[0]}, plain(" plays alone.")}
	case len(you) == 1:
		out = append([]phrase{plain("You are ")}, you...)
	case len(you) > 1:
		out = append([]phrase{plain("You play ")}, you...)
	}
	for p, agent := range seats {
		if agent == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, plain(", "))
		}
		out = append(out, phrase{Text: named(w, agent), Title: agent}, plain(" is "), side(w, game.Player(p)))
	}
	return append(out, plain("."))
}

// named describes an agent of w. An agent that is one of the levels is called "the computer".
func named(w *catalog.World, agent string) string {
	for _, level := range w.Levels() {
		if level.Agent == agent {
			return "the computer (" + level.Name + ")"
		}
	}
	return spoken(agent)
}

// digest matches the digest by which match records identify an evaluation.
var digest = regexp.MustCompile(`^[0-9a-f]{12}$`)

// against describes the two agents of a match. If both have the same description, it gives the full
// specs.
func against(a, b string) string {
	x, y := spoken(a), spoken(b)
	if x == y && a != b {
		return a + " against " + b
	}
	return x + " against " + y
}

// spoken describes an agent spec by the agent's kind, limits and evaluation. It describes a mix of
// agents by its parts.
func spoken(text string) string {
	if inner, ok := strings.CutPrefix(text, "mix("); ok {
		parts, err := spec.List(strings.TrimSuffix(inner, ")"))
		if err != nil {
			return text
		}
		for i, part := range parts {
			share, agent, _ := strings.Cut(part, "*")
			x, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
			if err != nil {
				return text
			}
			parts[i] = fmt.Sprintf("%s (%s%%)", spoken(spec.Unwrap(strings.TrimSpace(agent))), number(100*x))
		}
		return "a mix of " + strings.Join(parts, " and ")
	}
	s, err := spec.Parse(text)
	if err != nil {
		return text
	}
	out := s.Name
	for _, k := range s.Keys {
		switch k.Name {
		case "depth", "nodes", "time", "simulations", "samples":
			out += " " + k.Name + " " + k.Value
		case "eval":
			if !digest.MatchString(k.Value) { // digests from match records are omitted
				out += " with " + k.Value
			}
		}
	}
	return out
}

func turn(w *catalog.World, s game.State, seats []string) []phrase {
	p := s.Turn()
	switch {
	case len(seats) == 1:
		return []phrase{plain("Your turn")}
	case slices.Contains(append(slices.Clone(seats[:p]), seats[p+1:]...), ""): // several persons are playing
		return []phrase{first(side(w, p)), plain(" to move")}
	}
	return []phrase{plain("Your turn, "), side(w, p)}
}

// ended describes the end of the game at s. If one person is playing a zero-sum game, it also
// states whether that person has won.
func ended(w *catalog.World, s game.State, seats []string) []phrase {
	text := text.Capital(session.Outcome(w.Game, s, w.Side, number)) + "."
	out := []phrase{plain(text)}
	for p := range seats { // the winner's name is at the start of the sentence and is given the winner's colour
		if v := first(side(w, game.Player(p))); strings.HasPrefix(text, v.Text+" wins") {
			out = []phrase{v, plain(strings.TrimPrefix(text, v.Text))}
		}
	}
	you := slices.Index(seats, "")
	if shape := game.ShapeOf(w.Game, s); you < 0 || shape.Players < 2 || shape.Sum != game.Zero || slices.Contains(seats[you+1:], "") {
		return out
	}
	switch u := s.Utility(game.Player(you)); {
	case u > 0:
		out = append(out, plain(" You won."))
	case u < 0:
		out = append(out, plain(" You lost."))
	}
	return out
}

// valued formats a value for a player. In chess, values are in pawns, and wins and losses are in
// words.
func valued(w *catalog.World, x float64) string {
	b := w.Base()
	switch {
	case !b.Pawns:
		return number(x)
	case x >= b.Max:
		return "a win"
	case x <= b.Min:
		return "a loss"
	}
	return fmt.Sprintf("%+.2f", pawns(w, x))
}

// pawns converts a value of w to pawns if the game uses them. Otherwise it returns the value.
func pawns(w *catalog.World, x float64) float64 {
	b := w.Base()
	if !b.Pawns {
		return x
	}
	return float64(protocol.Centipawns(x, b.Min, b.Max)) / 100
}

// pawnsFormula returns the pawn formula shown on the page, or "" if the game does not use pawns.
func pawnsFormula(w *catalog.World) string {
	b := w.Base()
	if !b.Pawns {
		return ""
	}
	return fmt.Sprintf("pawns = 4*log10((%s + value) / (%s - value)) =", number(-b.Min), number(b.Max))
}

// rounded returns x with the rounding that [valued] applies, so that differences match the numbers
// on the page.
func rounded(w *catalog.World, x float64) float64 {
	if w.Base().Pawns {
		return pawns(w, x)
	}
	shown, err := strconv.ParseFloat(number(x), 64)
	if err != nil {
		panic("serve: cannot parse a formatted number: " + err.Error())
	}
	return shown
}

// unit returns the unit of w's values, or "" for the game's own unit.
func unit(w *catalog.World) string {
	if w.Base().Pawns {
		return "pawns"
	}
	return ""
}

// scale describes the scale of the evaluations at s by their unit or their range.
func scale(w *catalog.World, s game.State) string {
	shape := game.ShapeOf(w.Game, s)
	points, scored := game.As[game.Scorer](s)
	switch {
	case scored && shape.Players == 1:
		return "in points of the final score (" + number(points.Score(0)) + " collected so far)"
	case unit(w) != "":
		return "in " + unit(w)
	case math.IsInf(shape.Max-shape.Min, 0):
		return ""
	}
	return "from " + number(shape.Min) + " to " + number(shape.Max)
}

// number formats x with three significant digits, or with all digits of the integer part if there
// are more than three. Rounding errors near 0 become 0.
func number(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Sprint(x)
	case size < 1e-9:
		return "0"
	case size >= 1e15:
		return fmt.Sprintf("%.3g", x)
	case size >= 100 || x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// signed is like number, but adds a plus sign if x is positive.
func signed(x float64) string {
	if x > 0 {
		return "+" + number(x)
	}
	return number(x)
}
