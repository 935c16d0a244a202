package design

// Split says which rows are trained on and what they have to do with one another;
// see [Options] for the fields. The zero value holds nothing out.
type Split struct {
	HeldOut  func(episode uint64) bool
	Group    func(episode uint64) (id uint64, alone bool)
	Seen     func(position uint64) bool
	KeepSeen bool
}

// Where a row counts: a held-out row whose position stands among the training
// rows, too, tells what was remembered and not what was learned.
const (
	Training = iota
	Unseen
	Seen
	Parts
)

// Held reports whether an episode is kept from training.
func (s *Split) Held(episode uint64) bool { return s.HeldOut != nil && s.HeldOut(episode) }

// Side is where a row counts.
func (s *Split) Side(held bool, position uint64) int {
	switch {
	case !held:
		return Training
	case s.Seen != nil && s.Seen(position):
		return Seen
	}
	return Unseen
}

// GroupOf is the number of an episode's group, and whether it has no other one.
func (s *Split) GroupOf(episode uint64) (id uint64, alone bool) {
	if s.Group == nil {
		return episode, true
	}
	return s.Group(episode)
}
