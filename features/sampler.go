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

// Sampler turns records of episodes into samples for a learner: it reads each position, extracts
// its features and label in the view of the set, by the same Extract as play.
//
// In a game of constant sum a record gives one sample; in others one for each player. Finished
// positions give none, nor do those in which a hostile world's adversary moves in nature's place.
type Sampler struct {
	Game    *game.Game // the world that the records are of
	Set     Set
	Label   Label
	Records func() iter.Seq2[*datasets.Record, error] // from the beginning every time

	// Leaves says which positions the model evaluates: Decision, the default, the recorded ones;
	// Afterstate those right after the move made, which in a slippery world only the record tells:
	// a record without it ends the samples with an error.
	Leaves models.Leaves

	// Distinct takes each position once, with the label of its first record: positions are compared
	// by hash after Prepare's Step, which may merge several records. It needs some 40 bytes a
	// position.
	Distinct bool

	// Prepare, where it is not nil, makes one Step for each worker.
	Prepare func() Step

	Workers int // extracting at once; 0: one a core. Never changes the samples
}

// Step prepares a position before its features are extracted: it may play moves on s, the base
// state (to the end of a search's line, say), and returns the sample's weight, 0 to omit it (if not
// quiet, say). It belongs to one goroutine and may depend on s and r alone.
type Step func(s game.State, r *datasets.Record) (weight float64, err error)

var _ datasets.Samples = (*Sampler)(nil)

// sampleBatch is how many records a worker takes at a time.
const sampleBatch = 256

// batch is a run of records and then of their samples. Its buffers are reused.
type batch struct {
	records  []datasets.Record
	outcomes []float64
	samples  []datasets.Sample
	starts   []int // of the samples' X in terms
	hashes   []uint64
	terms    models.Vector
	err      error // what ended the records, or the samples, here
	done     chan struct{}
}

// All gives the samples in the order of the records, with any number of workers. It ends at an
// error of the records or a record that the game cannot read.
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

// alone extracts in the caller's goroutine.
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

// together has workers extract batches, which are yielded in their order.
func (s *Sampler) together(workers int, yield func(*datasets.Sample, error) bool) {
	var (
		ahead = 2 * workers
		jobs  = make(chan *batch, ahead)   // to the workers
		order = make(chan *batch, ahead)   // to the caller
		free  = make(chan *batch, ahead+2) // used ones
		stop  = make(chan struct{})        // the caller has enough
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
			jobs <- b // never blocks longer than the workers take
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

// read fills batches with copies of records. full takes one, gives the next, nil to stop.
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

// known are the positions that were handed on, nil where that does not matter.
func (s *Sampler) known() map[uint64]struct{} {
	if !s.Distinct {
		return nil
	}
	return map[uint64]struct{}{}
}

// yield passes on the samples not yet known, and then the error, if any.
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

// extractor is one worker of a Sampler.
type extractor struct {
	*Sampler
	positions   *Positions
	set         Set // the Sampler's, for this goroutine
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

// extract makes the samples of b's records.
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

// Positions finds what models evaluate of recorded positions.
type Positions struct {
	world, base *game.Game
	slips       bool // the world does
}

// NewPositions is for records of a game that may be wrapped.
func NewPositions(g *game.Game) *Positions {
	_, slips := game.As[*game.Slip](g.New())
	return &Positions{g, g.Base(), slips}
}

// At is the base position of a record that models of such leaves evaluate: the recorded one, or the
// one right after the move made. It is nil if the game is over before the move, an adversary moves
// in nature's place, or no move is recorded.
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
			return nil, errors.New("a move that may have slipped, and no column made: want a data set that tells which move was really made")
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

// sample adds the sample of r that p sees at s.
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

// Label is what a position should be worth to p, in the game's units; ok = false leaves the
// record's row out. It is called by many goroutines at once.
type Label func(r *datasets.Record, p game.Player) (y float64, ok bool)

// Outcome is p's result at the end of the episode. Episodes cut off have none.
func Outcome(r *datasets.Record, p game.Player) (y float64, ok bool) {
	if r.Truncated || int(p) >= len(r.Outcome) {
		return 0, false
	}
	return r.Outcome[p], true
}

// SearchValue is the label by the mover's search, in records of a game that may be wrapped. Records
// without a search have none; other players have one only where the mover's decides theirs.
func SearchValue(g *game.Game) Label {
	return moverLabel(g, func(r *datasets.Record) (float64, bool) { return r.Value, r.HasValue })
}

// moverLabel is a label that is known in the mover's view.
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

// Mixture is share of a and the rest of b; a record that lacks one of the two
// is left out. share lies in [0, 1].
func Mixture(a, b Label, share float64) Label {
	return func(r *datasets.Record, p game.Player) (float64, bool) {
		x, okX := a(r, p)
		y, okY := b(r, p)
		return float64(share*x) + float64((1-share)*y), okX && okY
	}
}
