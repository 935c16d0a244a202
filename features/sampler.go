package features

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/models"
)

// A Sampler turns records of episodes into samples for a learner. It parses each position, extracts
// its features from the view of the player that the set selects, and adds the label. It uses the
// same Extract as play.
//
// If player 0's sum determines the values of all players ([OneValue]), a record gives at most one
// sample. Otherwise, it gives at most one sample for each player. There are no samples for finished
// positions, or for positions in which an adversary moves in place of nature.
type Sampler struct {
	Game    *game.Game // world of the records
	Set     Set
	Label   Label
	Records func() iter.Seq2[*datasets.Record, error] // called for each pass; yields all records from the beginning

	// Leaves selects the positions that the model evaluates. Decision, the default, selects the
	// recorded positions. Afterstate selects the positions after the move that was made. In a world
	// with slips, the record must contain this move. Otherwise, All yields an error.
	Leaves models.Leaves

	// Distinct uses each position only once, with the label of its first record. Positions are
	// compared by hash after the Step of Prepare, which may turn several records into the same
	// position. This takes about 40 bytes per position.
	Distinct bool

	// Prepare, if not nil, is called once per worker to create its Step.
	Prepare func() Step

	Workers int // number of parallel workers, which does not affect the samples; 0 means one per core
}

// A Step prepares a position before its features are extracted. It may play moves on s, the base
// state, for example to reach the end of the principal variation. It returns the weight of the
// sample, or 0 to omit the sample, for example if the position is not quiet. A Step is used by one
// goroutine. Its result must depend only on s and r.
type Step func(s game.State, r *datasets.Record) (weight float64, err error)

var _ datasets.Samples = (*Sampler)(nil)

// sampleBatch is the number of records that a worker processes at a time.
const sampleBatch = 256

// A batch contains records and their samples. Its buffers are reused.
type batch struct {
	records  []datasets.Record
	outcomes []float64
	samples  []datasets.Sample
	starts   []int // start of each sample's X in terms
	hashes   []uint64
	terms    models.Vector
	err      error // error that ended the records or the samples
	done     chan struct{}
}

// All yields the samples in the order of the records, for any number of workers. It stops after the
// first error from Records, from a Step, or from parsing a record.
func (s *Sampler) All() iter.Seq2[*datasets.Sample, error] {
	workers := s.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if workers == 1 {
		return s.alone
	}
	return func(yield func(*datasets.Sample, error) bool) { s.together(workers, yield) }
}

// alone extracts the samples in the caller's goroutine.
func (s *Sampler) alone(yield func(*datasets.Sample, error) bool) {
	x := newExtractor(s)
	b, known := new(batch), s.known()
	s.read(b, func() *batch {
		x.extract(b)
		if !b.yield(known, yield) {
			return nil
		}
		return b
	})
}

// together extracts the samples with several workers and yields the batches in order.
func (s *Sampler) together(workers int, yield func(*datasets.Sample, error) bool) {
	var (
		ahead = 2 * workers
		jobs  = make(chan *batch, ahead)   // to the workers
		order = make(chan *batch, ahead)   // to the caller
		free  = make(chan *batch, ahead+2) // batches that can be reused
		stop  = make(chan struct{})        // closed when the caller stops
		wait  sync.WaitGroup
	)
	defer wait.Wait()
	defer close(stop)
	for range ahead + 2 {
		free <- &batch{done: make(chan struct{}, 1)}
	}
	wait.Go(func() {
		defer close(jobs)
		defer close(order)
		b := <-free
		s.read(b, func() *batch {
			select {
			case order <- b:
			case <-stop:
				return nil
			}
			jobs <- b // jobs has room for every batch in order, so this does not block for long
			select {
			case b = <-free:
				return b
			case <-stop:
				return nil
			}
		})
	})
	for range workers {
		wait.Go(func() {
			x := newExtractor(s)
			for b := range jobs {
				x.extract(b)
				b.done <- struct{}{}
			}
		})
	}
	known := s.known()
	for b := range order {
		<-b.done
		if !b.yield(known, yield) {
			return
		}
		free <- b
	}
}

// read fills batches with copies of records. It passes each batch to the function full, which
// returns the next batch, or nil to stop.
func (s *Sampler) read(b *batch, full func() *batch) {
	b.clear()
	for r, err := range s.Records() {
		if err != nil {
			b.err = err
			break
		}
		from := len(b.outcomes)
		b.outcomes = append(b.outcomes, r.Outcome...)
		b.records = append(b.records, *r)
		b.records[len(b.records)-1].Outcome = b.outcomes[from:len(b.outcomes):len(b.outcomes)]
		if len(b.records) == sampleBatch {
			if b = full(); b == nil {
				return
			}
			b.clear()
		}
	}
	full()
}

func (b *batch) clear() {
	b.records, b.outcomes = b.records[:0], b.outcomes[:0]
	b.samples, b.starts, b.terms, b.err = b.samples[:0], b.starts[:0], b.terms[:0], nil
	b.hashes = b.hashes[:0]
}

// known returns an empty set for the hashes of positions that have been yielded, or nil if
// positions may repeat.
func (s *Sampler) known() map[uint64]struct{} {
	if !s.Distinct {
		return nil
	}
	return map[uint64]struct{}{}
}

// yield yields the samples that are not in known, followed by the error if there is one.
func (b *batch) yield(known map[uint64]struct{}, yield func(*datasets.Sample, error) bool) bool {
	for i := range b.samples {
		if known != nil {
			if _, twice := known[b.hashes[i]]; twice {
				continue
			}
			known[b.hashes[i]] = struct{}{}
		}
		if !yield(&b.samples[i], nil) {
			return false
		}
	}
	if b.err != nil {
		yield(nil, b.err)
		return false
	}
	return true
}

// An extractor is one worker of a Sampler.
type extractor struct {
	*Sampler
	positions   *Positions
	set         Set // the Sampler's set, for this goroutine
	base        *game.Game
	perspective perspective
	keys        *Keys
	step        Step
}

func newExtractor(s *Sampler) *extractor {
	x := &extractor{Sampler: s, positions: NewPositions(s.Game), set: Own(s.Set), base: s.Game.Base(), keys: NewKeys(s.Game, s.Set)}
	x.perspective = newPerspective(x.base, identity)
	if s.Prepare != nil {
		x.step = s.Prepare()
	}
	return x
}

// extract creates the samples of the records in b.
func (x *extractor) extract(b *batch) {
	for i := range b.records {
		r := &b.records[i]
		if err := x.record(b, r); err != nil {
			b.err = fmt.Errorf("episode %d, ply %d: %w", r.Episode, r.Ply, err)
			break
		}
	}
	for i := range b.samples {
		end := len(b.terms)
		if i+1 < len(b.starts) {
			end = b.starts[i+1]
		}
		b.samples[i].X = b.terms[b.starts[i]:end:end]
	}
}

// Positions finds the positions evaluated by models for recorded positions.
type Positions struct {
	world, base *game.Game
	slips       bool // whether the world has slips
}

// NewPositions returns the Positions for records of g, which may be wrapped.
func NewPositions(g *game.Game) *Positions {
	_, slips := game.As[*game.Slip](g.New())
	return &Positions{g, g.Base(), slips}
}

// At returns the base position that models with the given leaves evaluate for a record: the
// recorded position, or the position after the move that was made. It returns nil if the game is
// over before the move, if an adversary moves in place of nature, or if an afterstate is needed but
// no move is recorded.
func (p *Positions) At(r *datasets.Record, leaves models.Leaves) (game.State, error) {
	world, err := p.world.Parse(r.Position)
	if err != nil {
		return nil, err
	}
	s := game.Base(world)
	if s.Turn() < 0 {
		return nil, nil
	}
	if leaves != models.Afterstate {
		return s, nil
	}
	if r.Move == "" {
		return nil, nil
	}
	made := r.Move
	if p.slips {
		if made = r.Made; made == "" {
			return nil, errors.New("the data set has no column \"made\", which is needed because moves can slip")
		}
	}
	m, err := p.base.ParseMove(s, made)
	if err != nil {
		return nil, err
	}
	s.Play(m)
	return s, nil
}

func (x *extractor) record(b *batch, r *datasets.Record) error {
	s, err := x.positions.At(r, x.Leaves)
	if err != nil || s == nil {
		return err
	}
	weight := 1.0
	if x.step != nil {
		if weight, err = x.step(s, r); err != nil || weight == 0 {
			return err
		}
	}
	if s.Turn() == game.Nobody {
		return nil
	}
	if x.perspective.opposed {
		x.sample(b, r, s, x.set.View(s), weight)
		return nil
	}
	for p := range x.base.Players {
		x.sample(b, r, s, game.Player(p), weight)
	}
	return nil
}

// sample adds the sample for record r at position s, from p's point of view.
func (x *extractor) sample(b *batch, r *datasets.Record, s game.State, p game.Player, weight float64) {
	y, ok := x.Label(r, p)
	if !ok {
		return
	}
	b.starts = append(b.starts, len(b.terms))
	if x.Distinct {
		b.hashes = append(b.hashes, game.Mix(s.Hash()+uint64(p)))
	}
	b.terms = append(b.terms, models.Term{Index: models.Bias, Value: float32(x.perspective.sign(p))})
	b.terms = x.set.Extract(s, p, b.terms)
	b.samples = append(b.samples, datasets.Sample{Y: y, Weight: weight, Kind: game.Exact, Episode: r.Episode, Ply: r.Ply, Position: x.keys.Of(s), Explored: r.Explored, Truncated: r.Truncated})
}

// A Label returns the value that a position should have for p, in the game's units. If ok is false,
// the sample is omitted. A Label must be safe for concurrent use.
type Label func(r *datasets.Record, p game.Player) (y float64, ok bool)

// Outcome returns p's result at the end of the episode. Episodes that were cut off have no outcome.
func Outcome(r *datasets.Record, p game.Player) (y float64, ok bool) {
	if r.Truncated || int(p) >= len(r.Outcome) {
		return 0, false
	}
	return r.Outcome[p], true
}

// SearchValue returns a label for records of g, which may be wrapped: the value reported by the
// mover's search. Records without a search have no label. Other players have a label only if it
// follows from the mover's value.
func SearchValue(g *game.Game) Label {
	return moverLabel(g, func(r *datasets.Record) (float64, bool) { return r.Value, r.HasValue })
}

// moverLabel returns a label for all players, derived from the mover's label.
func moverLabel(g *game.Game, label func(r *datasets.Record) (y float64, ok bool)) Label {
	e := newPerspective(g.Base(), identity)
	return func(r *datasets.Record, p game.Player) (float64, bool) {
		y, ok := label(r)
		switch {
		case p == r.Mover:
			return y, ok
		case e.opposed:
			return e.total - y, ok
		}
		return 0, false
	}
}

// Mixture returns a label that is the weighted mean of a and b. The weight of a is share, which
// must be from 0 to 1, and the weight of b is 1-share. A record without one of the two labels has
// no label.
func Mixture(a, b Label, share float64) Label {
	return func(r *datasets.Record, p game.Player) (float64, bool) {
		x, okX := a(r, p)
		y, okY := b(r, p)
		return float64(share*x) + float64((1-share)*y), okX && okY
	}
}
