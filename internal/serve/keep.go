package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plyfit/game/play"
	"plyfit/internal/disk"
	"plyfit/internal/session"
)

// keptGame is the content of an open game's file, ID.json in [Config].Games.
type keptGame struct {
	Game  string      `json:"game"`
	Seed  uint64      `json:"seed"`
	Begun string      `json:"begun"`
	Moves []play.Move `json:"moves"`
	shownGame
}

// keptFile returns the path of the file of an open game.
func (s *Server) keptFile(id string) string { return filepath.Join(s.config.Games, id+".json") }

// keep writes the file of an open game if the server keeps games.
func (s *Server) keep(t *openGame) {
	if s.config.Games == "" {
		return
	}
	t.mu.Lock()
	data, err := json.Marshal(keptGame{t.world.Spec, t.session.Seed, t.session.Begun, t.session.Moves, t.shownGame})
	t.mu.Unlock()
	if err == nil {
		err = disk.WriteBytes(s.keptFile(t.id), data)
	}
	if err != nil {
		s.config.Log.Printf("game %s cannot be saved: %v", t.id, err)
	}
}

// forget removes the trees and the file of a closed game.
func (s *Server) forget(id string, _ *openGame) {
	for _, side := range sides {
		s.unfolded.Drop(treeName{id, side})
	}
	if s.config.Games != "" {
		os.Remove(s.keptFile(id))
	}
}

// reopen opens the kept games. It drops a game that it cannot read, for example a game from an
// older version.
func (s *Server) reopen() error {
	if s.config.Games == "" {
		return nil
	}
	files, err := os.ReadDir(s.config.Games)
	if err != nil {
		return err
	}
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok {
			continue
		}
		t, err := s.reopened(id)
		if err != nil {
			s.config.Log.Printf("game %s cannot be reopened: %v", id, err)
			s.dropped = append(s.dropped, fmt.Sprintf("Game %s could not be reopened and was deleted: %v", id, err))
			s.forget(id, nil)
			continue
		}
		s.games.Put(id, t)
	}
	return nil
}

// reopened opens a kept game. It recovers from panics, because the rules may panic on illegal moves
// in a damaged file.
func (s *Server) reopened(id string) (t *openGame, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("invalid moves: %v", e)
		}
	}()
	data, err := os.ReadFile(s.keptFile(id))
	if err != nil {
		return nil, err
	}
	var k keptGame
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	w, err := s.config.Catalog.World(k.Game)
	if err != nil {
		return nil, err
	}
	begun, err := session.New(w.Game, k.Begun, k.Seed)
	if err != nil {
		return nil, err
	}
	t = &openGame{id: id, world: w, shownGame: k.shownGame}
	t.used.Store(time.Now().UnixNano())
	t.install(begun)
	for _, m := range k.Moves {
		if !slices.Contains(begun.State.Moves(nil), m.Move) {
			return nil, errors.New("illegal move")
		}
		begun.Play(m.Move)
	}
	return t, nil
}
