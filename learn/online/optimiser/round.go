package optimiser

import (
	"sync"
)

// Round brings replicas of weights together. They begin a round as copies of the main
// weights, and each learns by itself. At its end every number of the main ones moves by
// the mean of its changes over those replicas that touched it, and the replicas are
// copies again. Sums run in the order of the replicas, so that the result does not
// depend on who learned first.
type Round struct {
	main     *Weights
	replicas []*Weights

	place   []int32 // of each weight of the tables: its number in moves, from 1; 0: untouched
	moves   []move
	touched []int32 // the places of moves
}

// move is what a round did to one weight of the tables.
type move struct {
	weight, sum, size float64 // changes, added up
	replicas          int32   // that changed it
	last              int32   // the last replica that was counted, from 1
}

// NewRound makes the replicas copies of main. All have the same steps and frozen
// weights, and none takes averages.
func NewRound(main *Weights, replicas []*Weights) *Round {
	r := &Round{main: main, replicas: replicas, place: make([]int32, len(main.Model.Table))}
	r.Begin()
	return r
}

// Begin makes the replicas copies of the main weights, whatever they were.
func (r *Round) Begin() {
	for _, w := range r.replicas {
		r.copyRest(w)
		copy(w.Model.Table, r.main.Model.Table)
		copy(w.changes, r.main.changes)
	}
}

// copyRest makes w a copy of the main weights but for the tables.
func (r *Round) copyRest(w *Weights) {
	m := r.main
	w.Model.Bias = m.Model.Bias
	copy(w.Model.Weights, m.Model.Weights)
	copy(w.sum, m.sum)
	copy(w.total, m.total)
	w.lengths, w.norm, w.updates, w.episode = m.lengths, m.norm, m.updates, m.episode
}

// End ends a round. touched are the places in the tables that each replica may have
// changed, in any order and as often as they come.
func (r *Round) End(touched [][]int32) {
	r.endDense()
	m := r.main
	for k, w := range r.replicas {
		for _, i := range touched[k] {
			r.count(w, i, int32(k+1))
		}
	}
	for k, i := range r.touched {
		v := &r.moves[k]
		r.place[i] = 0
		if v.replicas == 0 {
			continue
		}
		n := float64(v.replicas)
		m.Model.Table[i] = float32(float64(m.Model.Table[i]) + v.weight/n)
		if m.Rule == TC {
			c := &m.changes[i]
			c.Sum, c.Size = float32(float64(c.Sum)+v.sum/n), float32(float64(c.Size)+v.size/n)
		}
	}
	var copying sync.WaitGroup
	for _, w := range r.replicas {
		copying.Go(func() {
			r.copyRest(w)
			for _, i := range r.touched {
				w.Model.Table[i] = m.Model.Table[i]
				if m.Rule == TC {
					w.changes[i] = m.changes[i]
				}
			}
		})
	}
	copying.Wait()
	r.moves, r.touched = r.moves[:0], r.touched[:0]
}

// count takes one replica's change of one weight of the tables.
func (r *Round) count(w *Weights, i, replica int32) {
	k := r.place[i]
	if k == 0 {
		r.touched, r.moves = append(r.touched, i), append(r.moves, move{})
		k = int32(len(r.moves))
		r.place[i] = k
	}
	v := &r.moves[k-1]
	if v.last == replica {
		return
	}
	v.last = replica
	weight, sum, size := float64(w.Model.Table[i])-float64(r.main.Model.Table[i]), 0.0, 0.0
	if w.Rule == TC {
		here, main := w.changes[i], r.main.changes[i]
		sum, size = float64(here.Sum)-float64(main.Sum), float64(here.Size)-float64(main.Size)
	}
	if weight != 0 || sum != 0 || size != 0 {
		v.weight, v.sum, v.size = v.weight+weight, v.sum+sum, v.size+size
		v.replicas++
	}
}

// endDense is End for all that is outside of the tables.
func (r *Round) endDense() {
	m := r.main
	lengths, updates := 0.0, int64(0)
	for _, w := range r.replicas {
		lengths, updates = lengths+(w.lengths-m.lengths), updates+w.updates-m.updates
		m.episode = max(m.episode, w.episode)
		if m.norm == 0 {
			m.norm = w.norm
		}
	}
	m.lengths, m.updates = m.lengths+lengths, m.updates+updates
	for j := range m.keep {
		v := move{}
		for _, w := range r.replicas {
			weight, sum, size := *w.dense(j)-*m.dense(j), 0.0, 0.0
			if m.sum != nil {
				sum, size = w.sum[j]-m.sum[j], w.total[j]-m.total[j]
			}
			if weight != 0 || sum != 0 || size != 0 {
				v.weight, v.sum, v.size = v.weight+weight, v.sum+sum, v.size+size
				v.replicas++
			}
		}
		if v.replicas == 0 {
			continue
		}
		n := float64(v.replicas)
		*m.dense(j) += v.weight / n
		if m.sum != nil {
			m.sum[j], m.total[j] = m.sum[j]+v.sum/n, m.total[j]+v.size/n
		}
	}
}

// dense is weight j outside of the tables, the bias being the last.
func (w *Weights) dense(j int) *float64 {
	if j == len(w.Model.Weights) {
		return &w.Model.Bias
	}
	return &w.Model.Weights[j]
}
