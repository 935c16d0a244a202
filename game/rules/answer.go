package rules

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plyfit/game"
)

// A description is the program's answer to the first question.
type description struct {
	ID           int       `json:"id"`
	Protocol     int       `json:"protocol"`
	Name         string    `json:"name"`
	Version      string    `json:"version"`
	Players      int       `json:"players"`
	Min          float64   `json:"min"`
	Max          float64   `json:"max"`
	Sum          string    `json:"sum"`
	MaxPlies     int       `json:"max_plies"`
	Chance       bool      `json:"chance"`
	Scores       bool      `json:"scores"`
	HasNoisy     bool      `json:"noisy"`
	Hidden       bool      `json:"hidden"`       // must be false
	Simultaneous bool      `json:"simultaneous"` // must be false
	Layout       *layout   `json:"board"`
	TermNames    []string  `json:"terms"`
	Weights      []float64 `json:"weights"` // of a hand-written evaluation; may be nil
	Error        string    `json:"error"`

	sum  game.Sum
	text string
}

// A reply is the program's answer to a list of positions.
type reply struct {
	ID      int    `json:"id"`
	Answers []node `json:"answers"`
	Error   string `json:"error"`
}

// A node is a position with its moves.
type node struct {
	answer
	ids  []game.Move // codes of Moves
	loud []game.Move // codes of Noisy
	size int64       // approximate size in memory
}

// An answer is the program's answer for one position.
type answer struct {
	record
	Moves         []string  `json:"moves"`
	After         records   `json:"after"`
	Probabilities []float64 `json:"probabilities"`
	Luck          *int      `json:"luck"`
	Noisy         []string  `json:"noisy"`
	Error         string    `json:"error"`
}

// records contains the positions after moves.
type records []record

// UnmarshalJSONFrom reads a list. Unlike the default, it seldom reallocates the list.
func (r *records) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '[' {
		return json.UnmarshalDecode(d, (*[]record)(r))
	}
	_, err := d.ReadToken()
	for *r = make(records, 0, 32); err == nil && d.PeekKind() != ']'; {
		*r = append(*r, record{})
		err = json.UnmarshalDecode(d, &(*r)[len(*r)-1])
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}

// A record is a position without its moves.
type record struct {
	Position string    `json:"position"`
	Turn     mover     `json:"turn"`
	Utility  []float64 `json:"utility"`
	Scores   []float64 `json:"scores"`
	Cells    boards    `json:"cells"`
	Terms    lists     `json:"terms"`

	hash uint64
}

// A mover is the player to move.
type mover game.Player

func (m *mover) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		var n int8
		err := json.UnmarshalDecode(d, &n)
		*m = mover(n)
		if err == nil && n < 0 {
			err = fmt.Errorf("turn %d: want a player's number, \"chance\" or \"over\"", n)
		}
		return err
	}
	var word string
	if err := json.UnmarshalDecode(d, &word); err != nil {
		return err
	}
	switch word {
	case "chance":
		*m = mover(game.Chance)
	case "over":
		*m = mover(game.Nobody)
	default:
		return fmt.Errorf("turn %q: want a player's number, \"chance\" or \"over\"", word)
	}
	return nil
}

// boards contains the cells for each view. If there is only one view, it may be a single string.
type boards []string

func (b *boards) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		*b = make(boards, 1)
		return json.UnmarshalDecode(d, &(*b)[0])
	}
	return json.UnmarshalDecode(d, (*[]string)(b))
}

// lists contains the values of the terms for each view. If there is only one view, it may be a
// single list of numbers.
type lists [][]float64

func (l *lists) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if len(raw) > 1 && bytes.HasPrefix(bytes.TrimLeft(raw[1:], " "), []byte("[")) {
		return json.Unmarshal(raw, (*[][]float64)(l))
	}
	*l = make(lists, 1)
	return json.Unmarshal(raw, &(*l)[0])
}

// wanted describes the JSON values that are read into the types of fields.
var wanted = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Int8: "a small whole number", reflect.Float64: "a number", reflect.Bool: "true or false",
	reflect.String: "a string", reflect.Slice: "a list", reflect.Struct: "an object",
}

// decode reads a line strictly: it rejects unknown and repeated keys.
func decode(line string, v any) error {
	err := json.Unmarshal([]byte(line), v, json.RejectUnknownMembers(true))
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	if inner := errors.Unwrap(semantic); inner != nil {
		return fmt.Errorf("key %s: %w", semantic.JSONPointer, inner)
	}
	return fmt.Errorf("key %s: want %s", semantic.JSONPointer, wanted[semantic.GoType.Kind()])
}

// describe validates the description of the game and prepares the board.
func (r *Rules) describe() error {
	d := &r.description
	sums := map[string]game.Sum{"zero": game.Zero, "constant": game.Constant, "general": game.General}
	sum, known := sums[d.Sum]
	d.sum = sum
	if d.Players == 1 {
		d.sum, known = game.General, known || d.Sum == ""
	}
	switch {
	case d.Error != "":
		return errors.New(d.Error)
	case d.Protocol != version:
		return fmt.Errorf("the description of the game lacks \"protocol\": %d, the version of the protocol", version)
	case d.Hidden:
		return errors.New("hidden: want a game without hidden information")
	case d.Simultaneous:
		return errors.New("simultaneous: want a game in which players move one after the other")
	case !isWord(d.Name, lower+digits+"-", 40):
		return fmt.Errorf("name %q: want up to 40 lower-case letters, digits and hyphens", d.Name)
	case !isWord(d.Version, lower+upper+digits+"-._", 40):
		return fmt.Errorf("version %q: want up to 40 letters, digits, hyphens, dots and underscores", d.Version)
	case d.Players < 1 || d.Players > 4:
		return fmt.Errorf("players %d: want 1 to 4", d.Players)
	case !(d.Min < d.Max) || math.IsInf(d.Max-d.Min, 0):
		return fmt.Errorf("min %v and max %v: want finite numbers, the smaller one first", d.Min, d.Max)
	case !known || d.sum == game.Constant && d.Players != 2:
		return fmt.Errorf("sum %q: want zero, constant (for two players) or general", d.Sum)
	case d.MaxPlies < 1 || d.MaxPlies > 1e6:
		return fmt.Errorf("max_plies %d: want 1 to 1000000", d.MaxPlies)
	case d.Layout == nil && len(d.TermNames) == 0:
		return errors.New("want board, terms or both, from which an evaluation can be learned")
	case len(d.TermNames) > 1000:
		return fmt.Errorf("%d terms: want at most 1000", len(d.TermNames))
	}
	for i, name := range d.TermNames {
		if !isWord(name, lower+upper+digits+"-._", 40) || slices.Contains(d.TermNames[:i], name) {
			return fmt.Errorf("terms: name %q: want a distinct name of up to 40 letters, digits, hyphens, dots and underscores", name)
		}
	}
	if d.Weights != nil && len(d.Weights) != len(d.TermNames) || !finite(d.Weights) {
		return fmt.Errorf("weights %v: want a number for each of %d terms", d.Weights, len(d.TermNames))
	}
	if d.Layout == nil {
		return nil
	}
	b, err := newBoard(d.Layout, r.opposed())
	r.board = b
	return err
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

// isWord reports whether s has from 1 to most bytes, all of which are in set.
func isWord(s, set string, most int) bool {
	return s != "" && len(s) <= most && strings.Trim(s, set) == ""
}

// opposed reports whether player 1 gains what player 0 loses.
func (r *Rules) opposed() bool { return r.Players == 2 && r.sum == game.Zero }

// views returns the number of views that cells and terms contain.
func (r *Rules) views() int {
	if r.Players == 1 || r.opposed() {
		return 1
	}
	return r.Players
}

const (
	mostMoves    = 4096
	mostPosition = 10000 // bytes
)

// valid validates an answer and prepares it for use.
func (r *Rules) valid(n *node) error {
	if err := r.validRecord(&n.record); err != nil {
		return err
	}
	over, chance := n.turn() == game.Nobody, n.turn() == game.Chance
	switch {
	case over && len(n.Moves) > 0:
		return fmt.Errorf("%d moves, but the turn is \"over\": want no moves", len(n.Moves))
	case !over && len(n.Moves) == 0:
		return errors.New("no moves: want at least one move, or the turn \"over\"")
	case len(n.Moves) > mostMoves:
		return fmt.Errorf("%d moves: want at most %d", len(n.Moves), mostMoves)
	case len(n.After) != len(n.Moves):
		return fmt.Errorf("%d positions in after: want one for each of %d moves", len(n.After), len(n.Moves))
	case chance && !r.Chance:
		return errors.New("turn \"chance\": want a player, because the game is described without chance")
	case !chance && (len(n.Probabilities) > 0 || n.Luck != nil):
		return errors.New("probabilities or luck: want them only if the turn is \"chance\"")
	}
	n.ids = make([]game.Move, len(n.Moves))
	for i, m := range n.Moves {
		if m == "" || len(m) > 100 || strings.ContainsFunc(m, func(c rune) bool { return c <= ' ' || c == '~' || c == 0x7f }) {
			return fmt.Errorf("move %q: want up to 100 bytes without spaces, ~ and control characters", m)
		}
		id := game.Move(hash(m))
		for at := slices.Index(n.ids[:i], id); id == game.NoMove || at >= 0; at = slices.Index(n.ids[:i], id) {
			if at >= 0 && n.Moves[at] == m {
				return fmt.Errorf("move %q is listed twice", m)
			}
			id = game.Move(game.Mix(uint64(id))) // another move has the same code
		}
		n.ids[i] = id
	}
	for i := range n.After {
		if err := r.validRecord(&n.After[i]); err != nil {
			return fmt.Errorf("after the move %q: %w", n.Moves[i], err)
		}
	}
	for _, m := range n.Noisy {
		i := slices.Index(n.Moves, m)
		if i < 0 || chance || !r.HasNoisy {
			return fmt.Errorf("noisy move %q: want a legal move of a player, and \"noisy\": true in the description of the game", m)
		}
		n.loud = append(n.loud, n.ids[i])
	}
	if chance {
		return r.validChance(n)
	}
	return nil
}

// validChance validates the outcomes of a chance node.
func (r *Rules) validChance(n *node) error {
	if len(n.Probabilities) != len(n.Moves) {
		return fmt.Errorf("%d probabilities: want one for each of %d outcomes", len(n.Probabilities), len(n.Moves))
	}
	sum := 0.0
	for i, p := range n.Probabilities {
		if !(p > 0 && p <= 1) {
			return fmt.Errorf("probability %v of %q: want a number above 0 and at most 1", p, n.Moves[i])
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-9 {
		return fmt.Errorf("the probabilities sum to %v: want 1", sum)
	}
	if n.Luck == nil || *n.Luck < 0 || *n.Luck >= r.Players {
		return fmt.Errorf("luck: want a player from 0 to %d at a chance node", r.Players-1)
	}
	return nil
}

// validRecord validates a position without its moves.
func (r *Rules) validRecord(rec *record) error {
	p := rec.Position
	if p == "" || len(p) > mostPosition || p[0] == '#' || strings.TrimSpace(p) != p || strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == '~' || c == 0x7f }) {
		return fmt.Errorf("position %q: want a line of up to %d bytes without ~, # at the beginning and spaces around it", p, mostPosition)
	}
	rec.hash = hash(p)
	if t := rec.turn(); int(t) >= r.Players {
		return fmt.Errorf("turn %d: want a player from 0 to %d, \"chance\" or \"over\"", t, r.Players-1)
	}
	if over := rec.turn() == game.Nobody; over != (rec.Utility != nil) {
		return fmt.Errorf("utility %v: want a number for each player when the turn is \"over\", and only then", rec.Utility)
	} else if over {
		g := game.Game{Name: r.Name, Players: r.Players, Sum: r.sum, Min: r.Min, Max: r.Max}
		if err := g.CheckOutcome(rec.Utility); err != nil {
			return fmt.Errorf("utility: want %w", err)
		}
	}
	if r.Scores != (len(rec.Scores) == r.Players) || !r.Scores && rec.Scores != nil || !finite(rec.Scores) {
		return fmt.Errorf("scores %v: want a number for each player if the game is described with scores, and otherwise none", rec.Scores)
	}
	if views := r.views(); r.board != nil && len(rec.Cells) != views || r.board == nil && rec.Cells != nil {
		return fmt.Errorf("cells for %d views: want cells for %d if there is a board, and otherwise none", len(rec.Cells), views)
	} else if len(r.TermNames) > 0 && len(rec.Terms) != views || len(r.TermNames) == 0 && rec.Terms != nil {
		return fmt.Errorf("terms for %d views: want terms for %d if terms are described, and otherwise none", len(rec.Terms), views)
	}
	for _, terms := range rec.Terms {
		if len(terms) != len(r.TermNames) || !finite(terms) {
			return fmt.Errorf("terms %v: want %d finite numbers", terms, len(r.TermNames))
		}
	}
	for _, cells := range rec.Cells {
		if want := r.board.wrong(cells); want != "" {
			return fmt.Errorf("cells %q: want %s", cells, want)
		}
	}
	return nil
}

// turn returns the player to move.
func (rec *record) turn() game.Player { return game.Player(rec.Turn) }

// finite reports whether all numbers are finite and small enough for sums.
func finite(numbers []float64) bool {
	return !slices.ContainsFunc(numbers, func(x float64) bool { return !(math.Abs(x) <= 1e9) })
}

// hash returns a hash of s that is the same in every process.
func hash(s string) uint64 {
	h := uint64(len(s))
	for len(s) >= 8 {
		h = game.Mix(h ^ (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56))
		s = s[8:]
	}
	for i := range len(s) {
		h ^= uint64(s[i]) << (8 * i)
	}
	return game.Mix(h + 1)
}
