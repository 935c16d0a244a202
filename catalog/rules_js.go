package catalog

import (
	"errors"

	"plyfit/game"
)

// rules returns an error, because a browser cannot start programs.
func (c Catalog) rules(*game.Options) (*Entry, error) {
	return nil, errors.New("rules: want a game of plyfit, because a browser cannot start programs")
}
