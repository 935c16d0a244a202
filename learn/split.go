package learn

// split says which rows are trained on and what they have to do with one another;
// see [Options] for the fields. The zero value holds nothing out.
type split struct {
	HeldOut  func(episode uint64) bool
	Group    func(episode uint64) (id uint64, alone bool)
	Seen     func(position uint64) bool
	KeepSeen bool
}

// Where a row counts: a held-out row whose position stands among the training
// rows, too, tells what was remembered and not what was learned.
const (
	training = iota
	unseen
	seen
	sides3
)

// held reports whether an episode is kept from training.
func (s *split) held(episode uint64) bool { return s.HeldOut != nil && s.HeldOut(episode) }

// side is where a row counts.
func (s *split) side(held bool, position uint64) int {
	switch {
	case !held:
		return training
	case s.Seen != nil && s.Seen(position):
		return seen
	}
	return unseen
}

// skips reports whether a held-out row is not to choose anything, such as when to
// stop.
func (s *split) skips(position uint64) bool {
	return s.Seen != nil && !s.KeepSeen && s.Seen(position)
}

// groupOf is the number of an episode's group, and whether it has no other one.
func (s *split) groupOf(episode uint64) (id uint64, alone bool) {
	if s.Group == nil {
		return episode, true
	}
	return s.Group(episode)
}

// mix is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
