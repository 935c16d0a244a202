package trace_test

import (
	"context"
	"os"

	"plyfit/catalog"
	"plyfit/search"
	"plyfit/search/trace"
)

// This example prints the tree in AIMA, figure 5.5, as searched by alpha-beta.
func ExampleTree_WriteText() {
	w, err := catalog.All().World("tree")
	if err != nil {
		panic(err)
	}
	s, err := w.Parse("(max (min 3 12 8) (min 2 4 6) (min 14 5 2))")
	if err != nil {
		panic(err)
	}
	var tree trace.Tree
	agent, err := w.Agent("alphabeta:order=natural,table=off", catalog.AgentOptions{Observer: &tree})
	if err != nil {
		panic(err)
	}
	searcher, err := agent.New()
	if err != nil {
		panic(err)
	}
	defer search.Close(searcher)
	searcher.Begin(1)
	r, err := searcher.Search(context.Background(), s)
	if err != nil {
		panic(err)
	}
	tree.Finish(s, &r)
	if err := tree.WriteText(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	//  0  max = 3  (max (min 3 12 8) (min 2 4 6) (min 14 5 2))
	//  1  ├─ 1: min = 3  (min 3 12 8)  -> alpha 3
	//  2  │  ├─ 1: end = 3  -> beta 3
	//  2  │  ├─ 2: end = 12  in (-inf, 3)
	//  2  │  └─ 3: end = 8  in (-inf, 3)
	//  1  ├─ 2: min <= 2  in (3, +inf)  (min 2 4 6)
	//  2  │  ├─ 1: end = 2  in (3, +inf)  -> beta 2, alpha 3 >= beta 2: cut
	//  2  │  └─ cut: 2 (4), 3 (6)
	//  1  └─ 3: min <= 2  in (3, +inf)  (min 14 5 2)
	//  2     ├─ 1: end = 14  in (3, +inf)  -> beta 14
	//  2     ├─ 2: end = 5  in (3, 14)  -> beta 5
	//  2     └─ 3: end = 2  in (3, 5)  -> beta 2
}
