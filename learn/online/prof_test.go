package online

import (
	"context"
	"testing"

	"plyfit/models"
)

// BenchmarkOthello is a thousand games of TD(.7) over the 288 weights of
// othello/2-tuples.
func BenchmarkOthello(b *testing.B) {
	g, set := setOf(b, "othello", "othello/2-tuples")
	for b.Loop() {
		m := models.New("othello", set.Name(), set.Blocks())
		m.Link = models.Link{Kind: models.Tanh, Scale: 1}
		l, err := NewTD(TDConfig{
			Task:  Task{Game: g, Set: set, Model: m, Seed: 1, Epsilon: 0.1},
			Steps: Steps{Alpha: 0.01, AverageFrom: 500}, Lambda: 0.7, Wins: 1,
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Advance(context.Background(), 0, 1000); err != nil {
			b.Fatal(err)
		}
	}
}
