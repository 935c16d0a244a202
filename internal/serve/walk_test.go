//go:build browser

package serve

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// slide moves a slider to a value and sends the events that a visitor's input would cause.
func (b *browser) slide(selector string, to int) {
	b.Helper()
	script[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %d; for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, {bubbles: true})); return true; })()`, selector, to))
}

// says waits until the element's text contains the given text.
func (b *browser) says(selector, text string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q)?.innerText.includes(%q)`, selector, text))
}

// walksTheTour opens the lesson from the home page and goes through it by clicking. It checks the
// topics of the lecture: minimax and alpha-beta, evaluations and search depth, assumptions about
// chance nodes and ghosts, and thrashing.
func walksTheTour(_ *testing.T, open opener) {
	b := open(Config{})
	b.run(chromedp.Navigate(b.URL + "/"))
	b.press(`nav a[href="/lesson/1"]`)
	for step := 1; step <= len(tourSteps); step++ {
		b.until(fmt.Sprintf(`document.readyState === "complete" && document.querySelector("h1").innerText.startsWith("%d.")`, step))
		if topic := lectured[step]; topic != nil {
			topic(b)
		}
		if step < len(tourSteps) {
			b.press(`a[rel=next]`)
		}
	}
	b.quiet()
	// A visitor can also play as Pacman.
	b.run(chromedp.Navigate(b.URL + "/lesson/10"))
	b.press("form button")
	b.says("#cells", "you")
	b.press("#cells form button")
	b.until(`location.pathname.startsWith("/tables/") && document.querySelector(".board[data-moves]")`)
	b.run(chromedp.Navigate(b.URL + "/lesson/11")) // play against the learned evaluation
	learningTopic(b)
	b.press("#learned form button")
	b.says(".who", "with learned")
	b.says("#why", "learned minus handwritten")
	b.quiet()
}

// lectured contains the checks for the steps of the lesson.
var lectured = map[int]func(b *browser){
	1: func(b *browser) { b.says("figcaption", "minimax: value 3, branch 1, 13 nodes") },
	2: func(b *browser) {
		b.says("figcaption", "alpha-beta: value 3, branch 1, 11 nodes")
		b.until(`document.querySelectorAll("figure [stroke-dasharray='5 5']").length === 2`)
	},
	3: func(b *browser) { b.says(".twins", "value 10,"); b.says(".twins", "value 54.5,") },
	4: opponentTopic,
	5: func(b *browser) { b.says(".terms.ending", "sum") },
	6: depthTopic, 7: bendTopic, 9: thrashingTopic, 10: cellsTopic, 11: learningTopic,
}

// named clicks the element with the given visible text.
func (b *browser) named(role, name string) {
	b.Helper()
	b.until(fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.innerText.trim() === %q)`, role, name))
	script[bool](b, fmt.Sprintf(`([...document.querySelectorAll(%q)].find((e) => e.innerText.trim() === %q).click(), true)`, role, name))
}

// findsBothValues checks that a link on the home page leads to a tree with the value 10, and that a
// link on that page changes the value to 54.5. It then steps through the tree.
func findsBothValues(_ *testing.T, open opener) {
	b := open(Config{})
	b.run(chromedp.Navigate(b.URL + "/"))
	b.named("a", "10 or 54.5?")
	b.until(`location.pathname === "/lesson/4" && document.readyState === "complete"`)
	opponentTopic(b)
	b.named("#opponent a", "Step by step") // on that page, the address changes with each step
	b.until(`document.readyState === "complete" && (document.getElementById("step-ArrowRight").focus(), true)`)
	b.named("button", "Next")
	b.until(`document.activeElement.id === "step-ArrowRight" && location.search.includes("by=random") && location.search.endsWith("step=1&t=%28max+%28min+10+10%29+%28min+9+100%29%29") && document.querySelector(".status").innerText.startsWith("Step 1 ")`)
	b.quiet()
}

func opponentTopic(b *browser) {
	b.says("#opponent figcaption", "minimax: value 10, branch 1, 7 nodes")
	b.named("a", "moves at random")
	b.says("#opponent figcaption", "random opponent: value 54.5, branch 2, 7 nodes")
	b.named("summary", "Answer")
	b.says("details", "18.1")
	b.says("table", "-451.5")
}

func learningTopic(b *browser) {
	b.press("form button")
	b.says("#learned", "learned against zero")
	b.says("#learned form", "Play against it")
}

func depthTopic(b *browser) {
	right := func(want string) {
		b.until(fmt.Sprintf(`[...document.querySelectorAll("#depths .best")].map((e) => e.dataset.eval).join() === %q`, want))
	}
	for depth, want := range []string{"", "", "good", "good", "fair,good"} {
		b.slide("#depth", depth+1)
		b.says("#depths", fmt.Sprintf("Depth %d.", depth+1))
		right(want)
	}
	b.says("#depths", "49.2 ± 2.6%")
}

func bendTopic(b *browser) {
	choice := func(want string) {
		b.Helper()
		if got := script[string](b, `[...document.querySelectorAll(".pick")].map(x => x.dataset.planner + x.textContent).join()`); got != want {
			b.Errorf("%s, want %s", got, want)
		}
	}
	choice("minimax2,expectimax2")
	b.slide("#warp", 3)
	b.says("#warped", "power 3")
	choice("minimax2,expectimax1") // minimax makes the same choice
}

func thrashingTopic(b *browser) {
	for round := range 6 {
		b.says("#jitter .status", fmt.Sprintf("Round %d: 0 of 2 dots", round))
		b.says("#jitter", []string{"Both moves have the same value.", "One move is better."}[round%2])
		b.press("#jitter button")
	}
	b.says("#jitter .status", "turned back 5 times")
	eats := func() {
		for round := 1; round <= 6; round++ {
			b.press("#jitter button")
			b.says("#jitter .status", fmt.Sprintf("Round %d: ", round))
		}
		b.says("#jitter .status", "Pacman wins")
	}
	b.slide("#ahead", 6)
	b.says("#jitter .status", "Round 0")
	b.says("#jitter", "6 rounds ahead")
	eats()
	b.slide("#ahead", 3)
	b.says("#jitter", "3 rounds ahead")
	script[bool](b, `(() => { const e = document.querySelector("select[name=eval]"); e.value = "distance"; e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	b.says("#jitter", "One move is better.")
	eats()
}

func cellsTopic(b *browser) {
	b.press("form button")
	for _, points := range []string{"489.1", "487.9", "-252", "471.4"} {
		b.says("#cells", points)
	}
	for _, planner := range []string{"minimax", "expectimax"} {
		for _, ghost := range []string{"hostile", "random"} {
			b.press(fmt.Sprintf(`[data-cell="%s-%s"]`, planner, ghost))
			b.says("#chase h2", "("+planner+")")
			b.says("#chase .status", "Round 0: ")
			b.press("#chase button")
			b.says("#chase .status", "Round 1: ")
			b.press("#chase button.quiet")
			b.says("#chase .status", "Pacman ")
		}
	}
}
