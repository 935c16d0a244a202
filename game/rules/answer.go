package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	After         []record  `json:"after"`
	Probabilities []float64 `json:"probabilities"`
	Luck          *int      `json:"luck"`
	Noisy         []string  `json:"noisy"`
	Error         string    `json:"error"`
}

// A record is a position without its moves. Cells and Terms have one element for each view.
type record struct {
	Position string      `json:"position"`
	Turn     game.Player `json:"turn"`
	Utility  []float64   `json:"utility"`
	Scores   []float64   `json:"scores"`
	Cells    []string    `json:"cells"`
	Terms    [][]float64 `json:"terms"`

	hash uint64
}

// whose contains the values of the key turn in JSON.
var whose = map[string]game.Player{"0": 0, "1": 1, "2": 2, "3": 3, `"chance"`: game.Chance, `"over"`: game.Nobody}

// A reader reads an answer strictly. It is several times as fast as reading by reflection, which
// would limit the speed of play.
type reader struct {
	*jsontext.Decoder
	line string // whole answer, of which the strings that are read are parts
}

// decode reads an answer. It rejects unknown and repeated keys.
func decode(line []byte) (a reply, err error) {
	d := reader{jsontext.NewDecoder(bytes.NewBuffer(line)), string(line)}
	err = d.fields(func(key string) error { return d.reply(&a, key) })
	if err == nil {
		if _, err = d.ReadToken(); err == io.EOF {
			return a, nil
		}
		err = errors.New("want one object")
	}
	return a, explain(err, d.StackPointer())
}

func (d reader) reply(a *reply, key string) error {
	switch key {
	case "id":
		return d.value(&a.ID)
	case "answers":
		return d.elements(func() error {
			a.Answers = append(a.Answers, node{})
			n := &a.Answers[len(a.Answers)-1].answer
			return d.fields(func(key string) error { return d.answer(n, key) })
		})
	case "error":
		return d.value(&a.Error)
	}
	return fmt.Errorf("unknown key %q", key)
}

func (d reader) answer(a *answer, key string) error {
	switch key {
	case "moves":
		return d.texts(&a.Moves)
	case "after":
		a.After = make([]record, 0, max(len(a.Moves), 8))
		return d.elements(func() error {
			a.After = append(a.After, record{})
			rec := &a.After[len(a.After)-1]
			return d.fields(func(key string) error { return d.record(rec, key) })
		})
	case "probabilities":
		return d.value(&a.Probabilities)
	case "luck":
		return d.value(&a.Luck)
	case "noisy":
		return d.texts(&a.Noisy)
	case "error":
		return d.value(&a.Error)
	}
	return d.record(&a.record, key)
}

func (d reader) record(rec *record, key string) (err error) {
	switch key {
	case "position":
		rec.Position, err = d.text()
		return err
	case "turn":
		raw, err := d.ReadValue()
		turn, known := whose[string(raw)]
		if rec.Turn = turn; err == nil && !known {
			err = fmt.Errorf("turn %.20s: want a player's number, \"chance\" or \"over\"", raw)
		}
		return err
	case "utility":
		return d.value(&rec.Utility)
	case "scores":
		return d.value(&rec.Scores)
	case "cells":
		if d.PeekKind() != '"' {
			return d.texts(&rec.Cells)
		}
		cells, err := d.text()
		rec.Cells = []string{cells}
		return err
	case "terms":
		var single []float64 // for the only view
		err := d.elements(func() error {
			if d.PeekKind() == '[' {
				rec.Terms = append(rec.Terms, nil)
				return d.value(&rec.Terms[len(rec.Terms)-1])
			}
			x, err := d.ReadToken()
			if err == nil && x.Kind() != '0' {
				err = errors.New("want a list of numbers")
			}
			if err == nil {
				single = append(single, x.Float())
			}
			return err
		})
		if single != nil {
			rec.Terms = append(rec.Terms, single)
		}
		return err
	}
	return fmt.Errorf("unknown key %q", key)
}

// fields reads an object. It calls field with each key to read the value.
func (d reader) fields(field func(key string) error) error {
	return d.between('{', "an object", func() error {
		key, err := d.text()
		if err != nil {
			return err
		}
		return field(key)
	})
}

// elements reads a list. It calls element to read each element.
func (d reader) elements(element func() error) error { return d.between('[', "a list", element) }

// between reads the elements of a list or the members of an object.
func (d reader) between(open jsontext.Kind, want string, next func() error) error {
	token, err := d.ReadToken()
	if err == nil && token.Kind() != open {
		return fmt.Errorf("want %s", want)
	}
	for err == nil && d.PeekKind() != open+2 { // ] and } follow [ and {
		err = next()
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	return err
}

// text reads a string. Unless it contains escapes, it is a part of the line.
func (d reader) text() (string, error) {
	raw, err := d.ReadValue()
	switch {
	case err != nil:
		return "", err
	case raw.Kind() != '"':
		return "", errors.New("want a string")
	case bytes.IndexByte(raw, '\\') < 0:
		end := int(d.InputOffset()) - 1
		return d.line[end-len(raw)+2 : end], nil
	}
	plain, err := jsontext.AppendUnquote(nil, raw)
	return string(plain), err
}

// texts reads a list of strings.
func (d reader) texts(to *[]string) error {
	return d.elements(func() error {
		s, err := d.text()
		*to = append(*to, s)
		return err
	})
}

// value reads a value by reflection.
func (d reader) value(to any) error { return json.UnmarshalDecode(d.Decoder, to) }

// wanted describes the JSON values that are read into the types of fields.
var wanted = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Float64: "a number", reflect.Bool: "true or false",
	reflect.String: "a string", reflect.Slice: "a list", reflect.Struct: "an object",
}

// explain describes an error of the JSON library. at is the place of other errors.
func explain(err error, at jsontext.Pointer) error {
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		return err
	case !errors.As(err, &semantic) && at == "":
		return err
	case semantic == nil:
		return fmt.Errorf("key %s: %w", at, err)
	case semantic.Err != nil:
		return fmt.Errorf("key %s: %w", semantic.JSONPointer, semantic.Err)
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
	over, chance := n.Turn == game.Nobody, n.Turn == game.Chance
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
	if t := rec.Turn; int(t) >= r.Players || t < game.Nobody {
		return fmt.Errorf("turn %d: want a player from 0 to %d, \"chance\" or \"over\"", t, r.Players-1)
	}
	if over := rec.Turn == game.Nobody; over != (rec.Utility != nil) {
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
