package serve

import (
	"fmt"
	"math"
	"os"
	"strings"
	"sync"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/internal/regular"
	"plyfit/stats"
)

// matchView is where a match stands.
type matchView struct {
	A, B     string
	Sentence string
	Notes    []string
	Score    string
	Test     string // where its sequential test stands; "" without one
	Pairs    []pairLink
	Moves    bool // the file holds the moves of games

	result arena.Result
}

// pairLink leads to the games of a pair.
type pairLink struct {
	Number int // from 1
	Link   string
}

// followed is a match whose file is read on from time to time.
type followed struct {
	mu sync.Mutex
	*arena.Follower
	file os.FileInfo
}

// matches are those followed, by the names of their files.
type matches struct {
	mu  sync.Mutex
	all map[string]*followed
}

// Limits of matches that are followed.
const (
	mostFollowed = 64
	longestMatch = 512 << 20 // bytes of its file
	shownPairs   = 24        // that have links, the last
)

// follow finds the follower of a file, a new one where the file is another.
func (m *matches) follow(name string, file os.FileInfo, find func(string) (*game.Game, error)) *followed {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.all[name]
	if f == nil || !os.SameFile(f.file, file) || file.Size() < f.file.Size() {
		if len(m.all) >= mostFollowed {
			clear(m.all)
		}
		f = &followed{Follower: arena.NewFollower(name, find)}
		m.all[name] = f
	}
	f.file = file
	return f
}

// forget drops a match that could not be read.
func (m *matches) forget(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
}

// matchOf reads on in the file of a match and hands it to do.
func (s *Server) matchOf(root *os.Root, name string, do func(f *followed, file *os.File) error) error {
	file, err := regular.OpenIn(root, name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > longestMatch {
		return fmt.Errorf("%s: %d MB: want at most %d MB of a match that is shown here", name, info.Size()>>20, longestMatch>>20)
	}
	f := s.matches.follow(name, info, func(spec string) (*game.Game, error) {
		w, err := s.config.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		return w.Game, nil
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.Read(file, info.Size()); err != nil {
		s.matches.forget(name)
		return err
	}
	return do(f, file)
}

// readMatch reads where a match stands.
func (s *Server) readMatch(root *os.Root, v *runView) error {
	return s.matchOf(root, v.Name, func(f *followed, file *os.File) error {
		h := f.Header()
		r, any := f.Result()
		if !any {
			return nil
		}
		m := &matchView{A: h.A, B: h.B, Sentence: r.Sentence, Notes: r.Notes, Moves: !h.NoMoves, result: r}
		m.Score = standing(&r)
		if a, b := spoken(h.A), spoken(h.B); a != b {
			m.Sentence = strings.NewReplacer(h.A, a, h.B, b).Replace(m.Sentence)
		}
		v.Game, v.Done, v.Unit, v.Match = h.Game, r.Pairs, "pair", m
		if t := r.SPRT; t != nil {
			v.Ended = v.Ended || t.Decision != stats.Open
			m.Test = fmt.Sprintf("LLR %.2f between %.2f and %.2f", t.LLR, t.Lower, t.Upper)
			if t.Decision == stats.Open && t.LLR != 0 {
				bound := t.Upper
				if t.LLR < 0 {
					bound = t.Lower
				}
				m.Test += fmt.Sprintf("; it would take about %.0f pairs more if it went on as it did", math.Ceil((bound/t.LLR-1)*float64(r.Pairs)))
			}
		}
		if v.Ended {
			v.Live = false
		}
		for n := max(0, r.Pairs-shownPairs); m.Moves && n < r.Pairs; n++ {
			m.Pairs = append(m.Pairs, pairLink{n + 1, replayLink(v.Name, n, 0)})
		}
		return nil
	})
}

// standing is the score of a match in a few words.
func standing(r *arena.Result) string {
	if r.Measure == arena.Wins {
		return fmt.Sprintf("%d won, %d drawn, %d lost: %s of the points", r.Wins, r.Draws, r.Losses, r.Score.Percent())
	}
	return fmt.Sprintf("first minus second: %v", r.Score)
}
