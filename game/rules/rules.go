// Package rules plays games whose rules are in an external program, written in any language. The
// protocol's reference is docs/rules.md.
//
// A game is played in these steps:
//
//  1. [New] starts the program and reads its description of the game. A digest of its answers at
//     100 positions identifies the rules in data sets and models.
//
//  2. [Rules.Check] plays random games and reports the first violation of the protocol or of the
//     rules that all games must obey.
//
//  3. A state asks for its moves when they are needed. The answer contains the position after each
//     move, so a ply takes one question. A process answers one question at a time. If all processes
//     are busy, another one is started.
//
//  4. Every answer is validated before it is used; see answer.go. Answers are cached by position.
//
// The methods of a state cannot return errors. If the program fails during a game, Source.Lost is
// called instead.
package rules

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"

	"plyfit/game"
	"plyfit/internal/lru"
	"plyfit/internal/program"
)

const (
	mostLine   = 1 << 20          // maximum size of a question or an answer in bytes
	mostCached = 256 << 20        // maximum size of the cached answers in bytes
	patience   = 10 * time.Second // default time limit for an answer
	starting   = 20 * time.Second // minimum time limit for the first answer, while the program starts
	version    = 1                // version of the protocol
)

// A Source is a program that knows the rules of a game.
type Source struct {
	Program []string      // path of the program, followed by its arguments
	Timeout time.Duration // time limit for an answer; 0 means 10 seconds
	// Lost is called if the program fails after New has returned. It must not return. If it is nil,
	// the methods of states panic with the error.
	Lost func(err error)

	NoCache bool // whether to ask again for positions that are known, to measure the program's speed
}

// A Rules is a running game. It is safe for concurrent use.
type Rules struct {
	Source
	description
	ID string // NAME-VERSION-DIGEST, with the first 12 digits of the digest of 100 answers

	board    *board // nil if the game has none
	launcher program.Launcher
	answers  lru.Cache[string, *node]
	start    *node

	questions atomic.Int64 // number of questions asked by all processes

	mu   sync.Mutex
	idle []*process
}

// A process is a running copy of the program.
type process struct {
	*program.Engine
	asked int // id of the last question
}

// New starts the program and returns its game.
func New(src Source) (*Rules, error) {
	src.Timeout = cmp.Or(src.Timeout, patience)
	r := &Rules{Source: src, launcher: src.launcher()}
	r.answers.Most, r.answers.Size = mostCached, func(n *node) int64 { return n.size }
	p, err := r.take()
	if err != nil {
		return nil, err
	}
	r.give(p)
	if err := r.describe(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name(), err)
	}
	if r.start, err = r.ask(""); err != nil {
		return nil, err
	}
	digest, err := r.digest()
	r.ID = r.Name + "-" + r.Version + "-" + digest
	return r, err
}

// launcher returns a launcher that starts copies of the program.
func (s *Source) launcher() program.Launcher {
	return program.Launcher{Command: program.Command{Path: s.Program[0], Args: s.Program[1:], MostLine: mostLine, Direct: true}}
}

// take returns an idle process, or starts one.
func (r *Rules) take() (*process, error) {
	r.mu.Lock()
	if last := len(r.idle) - 1; last >= 0 {
		p := r.idle[last]
		r.idle = r.idle[:last]
		r.mu.Unlock()
		return p, nil
	}
	r.mu.Unlock()
	p := new(process)
	_, err := r.launcher.Start(context.Background(), func(e *program.Engine) error {
		*p = process{Engine: e}
		return r.greet(p)
	})
	return p, err
}

// give returns a process that take has returned.
func (r *Rules) give(p *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, p)
}

// greet asks a new process for its description. All processes must give the same one.
func (r *Rules) greet(p *process) error {
	line, err := p.Ask(fmt.Sprintf(`{"id": 0, "protocol": %d}`, version), max(r.Timeout, starting), "description of the game")
	if err != nil {
		return err
	}
	var d description
	if err := json.Unmarshal(line, &d, json.RejectUnknownMembers(true)); err != nil {
		err = explain(err, "")
		return fmt.Errorf("%s: description of the game: %w", p.Name(), err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.description.text == "":
		r.description, r.description.text = d, string(line)
	case r.description.text != string(line):
		return fmt.Errorf("%s: the description of the game has changed since the first process; want the same rules in all processes", p.Name())
	}
	return nil
}

// ask returns the answer for a position. The empty string is the start of the game.
func (r *Rules) ask(position string) (*node, error) {
	if n := r.answers.Get(position); n != nil && !r.NoCache {
		return n, nil
	}
	p, err := r.take()
	if err != nil {
		return nil, err
	}
	n, err := r.question(p, position)
	if err != nil {
		if _, wrong := err.(*game.PositionError); !wrong {
			p.Close("")
			return nil, err
		}
	}
	r.give(p)
	if err == nil && !r.NoCache {
		r.answers.Put(n.Position, n)
	}
	return n, err
}

// question asks a process for a position. The error is a [game.PositionError] if the program
// rejects it.
func (r *Rules) question(p *process, position string) (*node, error) {
	p.asked++
	r.questions.Add(1)
	question, err := json.Marshal(struct {
		ID        int      `json:"id"`
		Positions []string `json:"positions"`
	}{p.asked, []string{position}})
	if err != nil {
		return nil, &game.PositionError{Game: r.Name, Text: position, At: -1, Want: "text in UTF-8"}
	}
	line, err := p.Ask(string(question), r.Timeout, "answer")
	if err != nil {
		return nil, r.at(position, err)
	}
	a, err := decode(line)
	if err != nil {
		return nil, r.at(position, fmt.Errorf("answer %.60q: %w", bytes.TrimSpace(line), err))
	}
	switch {
	case a.Error != "":
		return nil, r.at(position, fmt.Errorf("the program reports: %s", a.Error))
	case a.ID != p.asked:
		return nil, r.at(position, fmt.Errorf("id %d: want %d, the id of the question", a.ID, p.asked))
	case len(a.Answers) != 1:
		return nil, r.at(position, fmt.Errorf("%d answers: want 1", len(a.Answers)))
	case a.Answers[0].Error != "":
		return nil, &game.PositionError{Game: r.Name, Text: position, At: -1, Want: strings.TrimPrefix(a.Answers[0].Error, "want ")}
	}
	n := &a.Answers[0]
	n.size = int64(2*len(line) + 200*len(n.After) + 200)
	if err := r.valid(n); err != nil {
		return nil, r.at(position, err)
	}
	return n, nil
}

// at adds the name of the game and a position to an error.
func (r *Rules) at(position string, err error) error {
	where := fmt.Sprintf("position %q", position)
	if position == "" {
		where = "the start"
	}
	return fmt.Errorf("rules %s: %s: %w", r.Name, where, err)
}

// askAgain is like ask, but for a position that the program itself has named.
func (r *Rules) askAgain(position string) (*node, error) {
	n, err := r.ask(position)
	if err == nil && n.Position != position {
		err = r.at(position, fmt.Errorf("the answer has the position %q: want the same text, which came from the program", n.Position))
	}
	return n, err
}

// node returns the answer for a position that occurs in a game. If the program fails, it does not
// return.
func (r *Rules) node(position string) *node {
	n, err := r.askAgain(position)
	if err != nil {
		if r.Lost != nil {
			r.Lost(err)
		}
		panic(err)
	}
	return n
}

// probes is the number of answers in a digest.
const probes = 100

// digest returns the digest of the description, without the hand-written weights, and of the answers
// at positions of random games with fixed seeds.
func (r *Rules) digest() (string, error) {
	h, d := sha256.New(), r.description
	d.Weights = nil
	err := json.MarshalWrite(h, d)
	if err == nil {
		err = r.walk(probes, func(n *node, _ int) error { return json.MarshalWrite(h, n.answer) })
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), err
}

// walk visits the given number of positions of random games with fixed seeds, beginning with the start of the game.
// plies is the number of plies since the start.
func (r *Rules) walk(positions int, visit func(n *node, plies int) error) error {
	for seed, visited := uint64(0), 0; visited < positions; seed++ {
		n, draw := r.start, game.Mix(seed)
		for plies := 0; visited < positions; plies++ {
			if err := visit(n, plies); err != nil {
				return err
			}
			visited++
			if len(n.After) == 0 || plies == r.MaxPlies {
				break
			}
			draw = game.Mix(draw)
			var err error
			if n, err = r.askAgain(n.After[draw%uint64(len(n.After))].Position); err != nil {
				return err
			}
		}
	}
	return nil
}

// Spec returns the spec of the rules with an ID, for data sets and models. It does not contain the
// command.
func Spec(id string) string { return "rules:game=" + id }

// Game returns the game.
func (r *Rules) Game() *game.Game {
	return &game.Game{
		Name: "rules-" + r.Name, Spec: Spec(r.ID), Doc: fmt.Sprintf("%s, version %s, played by the rules of an external program", r.Name, r.Version),
		Players: r.Players, Sum: r.sum, Min: r.Min, Max: r.Max, MaxPlies: r.MaxPlies,
		New: func() game.State { return r.state(place{&r.start.record, r.start}) },
		Parse: func(text string) (game.State, error) {
			if text == "" || strings.TrimSpace(text) != text {
				return nil, &game.PositionError{Game: r.Name, Text: text, At: -1, Want: "a position without spaces around it"}
			}
			n, err := r.ask(text)
			if err != nil {
				return nil, err
			}
			return r.state(place{&n.record, n}), nil
		},
		ParseMove: game.FindMove,
	}
}

// Asked returns the number of questions asked so far.
func (r *Rules) Asked() int64 { return r.questions.Load() }

// Terms returns the names of the game's terms.
func (r *Rules) Terms() []string { return slices.Clone(r.TermNames) }
