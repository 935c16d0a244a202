//go:build browser

package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"plyfit/arena"
	"plyfit/arena/stats"
	browsing "plyfit/internal/browser"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// A browser is a tab in headless Chromium, together with the server that it visits.
type browser struct {
	*visitor
	tab *browsing.Tab
}

// TestBrowser checks that the page works in a browser. Each part of the test uses its own tab in
// the same browser. If PLYFIT_LONG is set, more games are played, and the test also runs the
// tutorial's command.
func TestBrowser(t *testing.T) {
	chromium := browsing.Start(t)
	for _, j := range []struct {
		name string
		long bool
		walk func(*testing.T, opener)
	}{
		{"plays every game", false, playsEveryGame}, {"plays the tutorial's nim", true, playsTheTutorialsNim}, {"agent and keys", false, agentAndKeys},
		{"walks the tour", false, walksTheTour}, {"adds up", false, addsUp}, {"finds both values", false, findsBothValues}, {"reads every page", false, readsEveryPage}, {"contrast of boards", false, contrastOfBoards},
		{"moves by keyboard", false, movesByKeyboard}, {"replays by keys", false, replaysByKeys}, {"follows the node", false, followsTheNode},
		{"watches the runs", false, watchesTheRuns}, {"plays by the rules of a program", false, playsByRules},
	} {
		if j.long && !vectors.Long() {
			continue
		}
		t.Run(j.name, func(t *testing.T) {
			j.walk(t, func(c Config) *browser { return &browser{tab: chromium.Tab(t), visitor: visit(t, c)} })
		})
	}
}

// An opener starts a server and opens a tab for it.
type opener func(Config) *browser

// quiet fails the test if the console contains errors.
func (b *browser) quiet() {
	b.Helper()
	if len(b.tab.Troubles) > 0 {
		b.Errorf("on the console: %q", b.tab.Troubles)
	}
}

func (b *browser) run(actions ...chromedp.Action) {
	b.Helper()
	b.tab.Run(actions...)
}

// script evaluates JavaScript in the page and returns its value.
func script[T any](b *browser, text string) (value T) {
	b.Helper()
	return browsing.Evaluate[T](b.tab, text)
}

// until waits up to a minute for a condition in JavaScript.
func (b *browser) until(condition string) {
	b.Helper()
	for range 2400 {
		if b.tab.Holds(condition) {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	b.Fatalf("condition never true: %s; page text %q, console %v", condition, script[string](b, "document.body.innerText.slice(0, 400)"), b.tab.Troubles)
}

// choose selects the option with the given text.
func (b *browser) choose(selector, option string) {
	b.Helper()
	script[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.selectedIndex = [...e.options].findIndex((o) => o.text === %q); e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, selector, option))
}

// press uses the mouse to click a button or a place on the board.
func (b *browser) press(selector string) {
	b.Helper()
	b.tab.Click(selector)
}

// make makes a move by clicking on the board. If the move cannot be made on the board, make clicks
// its button in the list.
func (b *browser) make(m clickable) {
	b.Helper()
	before := script[string](b, `document.querySelector(".board").dataset.version`)
	if len(m.Clicks) == 0 {
		b.press(fmt.Sprintf(`button[name=move][value=%q]`, m.Move))
	}
	for _, chain := range m.Clicks {
		for _, place := range chain {
			b.press(fmt.Sprintf(`.place[data-place=%q]`, place))
		}
	}
	changed := fmt.Sprintf(`document.querySelector(".board").dataset.version !== %q`, before)
	// If several moves have the same clicks, the page asks which one to make.
	b.until(changed + ` || !document.getElementById("choice").hidden`)
	if !script[bool](b, changed) {
		name, _ := json.Marshal(m.Shown())
		script[bool](b, fmt.Sprintf(`(() => { for (const e of document.querySelectorAll("#choice button")) if (e.textContent === %s) { e.click(); return true; } return false; })()`, name))
		b.until(changed)
	}
}

// playsEveryGame plays complete games by clicking, with a person in every seat. Without
// PLYFIT_LONG, it plays only the first five games.
func playsEveryGame(_ *testing.T, open opener) {
	b := open(Config{})
	games := []struct{ spec, position string }{
		{"2048:size=2", ""}, {"checkers", "B:W25,26:B13,14"}, {"chess", "6k1/P7/6K1/8/8/8/8/8 w - - 0 1"}, {"pig:target=15", ""},
		{"backgammon", "XGID=-BBBBB-------------bbbbb--:0:0:1:00:0:0:0:0:10"}, {"tictactoe", ""}, {"tree", ""}, {"kuhn", ""}, {"connect4:columns=4,rows=4+slip=0.2", ""},
		{"minesweeper:rows=5,columns=5,mines=3", ""}, {"pacman:layout=corridor", ""}, {"leduc", ""}, {"connect4", ""}, {"othello", ""}, {"doudizhu", ""},
	}
	if !vectors.Long() {
		games = games[:5]
	}
	for _, g := range games {
		b.playOut(g.spec, g.position)
	}
	b.quiet()
}

// playOut plays a game to its end with random clicks.
func (b *browser) playOut(spec, position string) {
	b.Helper()
	rng := rand.New(rand.NewPCG(8, 9))
	at := b.open(url.Values{"game": {spec}, "position": {position}, "seed": {"3"}})
	b.run(chromedp.Navigate(b.URL + at))
	played := 0
	for ; played < 400; played++ {
		text := script[string](b, `document.querySelector(".board").dataset.moves || ""`)
		if text == "" {
			break
		}
		var moves []clickable
		vectors.Check(json.Unmarshal([]byte(text), &moves))
		b.make(moves[rng.IntN(len(moves))])
	}
	if over := script[bool](b, `!!document.querySelector(".status.over").innerText`); played == 0 || !over {
		b.Errorf("%s: not over after %d moves", spec, played)
	}
	b.Logf("%s: %d moves", spec, played)
}

// playsByRules plays a game whose rules are in an external program. It checks that the page shows
// the program's terms and unfolds the tree. A link must not start a program. If PLYFIT_PICTURES is
// set, a picture of the page is written to that directory.
func playsByRules(t *testing.T, open opener) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
	b := open(Config{Limits: Limits{Engines: true}})
	const spec = "rules:cmd=(node ../../docs/rules/dots.js 2)"
	b.playOut(spec, "")
	at := b.open(url.Values{"game": {spec}, "position": {".#...#.#................. 1"}})
	b.run(chromedp.Navigate(b.URL + at))
	b.until(`document.querySelector("#terms .tall tbody") && document.querySelector("#terms").textContent.includes("boxes")`)
	if dir := os.Getenv("PLYFIT_PICTURES"); dir != "" {
		vectors.Check(os.WriteFile(filepath.Join(dir, "rules.webp"), b.tab.Picture(false), 0o644))
	}
	b.run(chromedp.Navigate(b.URL + at + "/tree"))
	b.until(`document.querySelector("#tree-a summary")`)
	b.press("#tree-a summary")
	b.until(`document.querySelector("#tree-a .below .leafline, #tree-a .below summary")`)
	b.quiet()
	if code, text, _ := b.ask("/at?game="+url.QueryEscape(spec), nil); code != http.StatusBadRequest {
		t.Errorf("a link that names a program: %d %s", code, text)
	}
}

// playsTheTutorialsNim starts the tutorial's server, whose command is outside this module, and
// plays the tutorial's game to the end by clicking. The board is drawn as text.
func playsTheTutorialsNim(t *testing.T, open opener) {
	b := open(Config{})
	binary := filepath.Join(t.TempDir(), "nim")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = filepath.Join("..", "..", "docs", "tutorial", "nim")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	server := exec.CommandContext(t.Context(), binary, "serve", "--listen", "127.0.0.1:0")
	out := vectors.Must(server.StdoutPipe())
	vectors.Check(server.Start())
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	address := regexp.MustCompile(`(http://[0-9.:]+)/\?token=\w+`).FindStringSubmatch(line)
	if err != nil || address == nil {
		t.Fatalf("the command prints %q (%v), want its address with a token", line, err)
	}
	b.Server = &httptest.Server{URL: address[1]}
	if b.client.Jar, err = cookiejar.New(nil); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := b.ask(strings.TrimPrefix(address[0], b.URL), nil); code != http.StatusSeeOther {
		t.Fatalf("%s: %d", address[0], code)
	}
	b.run(chromedp.Navigate(address[0]))
	b.until(`location.search === ""`)
	b.until(`[...document.querySelectorAll(".card h3")].some((h) => h.innerText === "Nim")`)
	b.playOut("nim", "")
	b.quiet()
}

// addsUp checks, for seven games, that the numbers shown by the page are consistent. The products
// and the bias must add up to the sum, the formulas must convert the sum to the value and to pawns,
// the list of moves must show the same value, and each difference must match the numbers next to
// it. The checks allow for the page's rounding. The sum and the value must be outside the scrolling
// boxes.
func addsUp(t *testing.T, open opener) {
	b := open(Config{})
	for _, g := range []struct{ spec, position string }{
		{"chess", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"}, {"connect4", "4453543"}, {"2048", ""}, {"othello", ""}, {"backgammon", ""}, {"pig", ""}, {"checkers", ""},
	} {
		for _, first := range []string{"handwritten", "learned"} {
			at := b.open(url.Values{"game": {g.spec}, "position": {g.position}, "seed": {"3"}})
			b.run(chromedp.Navigate(b.URL + at))
			b.until(`document.querySelector("#why tbody tr")`)
			if first == "learned" {
				script[bool](b, `(() => { const f = document.querySelector("input[name=a]").form; f.a.value = "learned"; f.b.value = "handwritten"; f.requestSubmit(); return true; })()`)
				b.until(`document.querySelector("#why th:nth-child(2)").textContent === "learned"`)
			}
			for move := 1; move <= min(3, script[int](b, `document.querySelectorAll(".why tbody tr").length`)); move++ {
				b.until(fmt.Sprintf(`((button) => button.textContent === document.querySelector("#terms strong").textContent || button.click())(document.querySelector(".why tbody tr:nth-child(%d) button"))`, move))
				for _, fault := range script[[]string](b, fmt.Sprintf(sums, move)) {
					t.Errorf("%s by %s: %s", g.spec, first, fault)
				}
			}
		}
	}
	b.quiet()
}

// sums returns the inconsistencies in the terms that the page shows for row %d of the list.
const sums = `(() => {
	const faults = [], of = (cells, i) => Number(cells[i].textContent), half = (x) => x ? 0.5 * 10 ** Math.min(0, Math.floor(Math.log10(Math.abs(x)) + 1e-9) - 2) : 1e-9;
	const check = (what, shown, low, high, off = half(shown)) => { if (!(shown >= low - off - 1e-9 && shown <= high + off + 1e-9)) faults.push(what + ": " + shown + ", not " + low + " to " + high); };
	const add = (what, shown, column) => {
		const all = [...document.querySelectorAll("#terms .tall tbody tr:not(.faint)")].map((r) => Number((r.cells[column] || {}).textContent || 0));
		const total = all.reduce((a, x) => a + x, 0), off = all.reduce((a, x) => a + half(x), 0);
		check(what, shown, total - off, total + off);
	};
	const row = document.querySelector(".why tbody tr:nth-child(%d)").cells, ending = [...document.querySelectorAll("#terms .ending tbody tr")].map((r) => r.cells);
	if (ending.length < 2 || ending[0][0].textContent !== "sum" || !ending[1][0].textContent.startsWith("value = ") || document.querySelector("#terms .ending").closest(".tall, details")) faults.push("no sum and value that are always visible");
	add("sum", of(ending[0], 1), 3);
	for (const r of document.querySelectorAll("#terms .tall tbody tr:not(.faint, :last-child)")) if (![3, 4].some((i) => r.cells[i] && Number(r.cells[i].textContent))) faults.push(r.cells[0].textContent + " adds nothing and is listed");
	if (ending[0].length > 2) add("difference of sums", of(ending[0], 2), 4);
	const known = { sum: of(ending[0], 1) };
	for (const cells of ending.slice(1)) {
		const [name, formula] = cells[0].textContent.split(" = ");
		if (!formula) continue; // a value kept within its range
		const from = name === "value" ? "sum" : "value", x = known[from], f = new Function(from, "with (Math) return " + formula.replace(/=$/, ""));
		check(name, known[name] = of(cells, 1), f(x - half(x)), f(x + half(x)), name === "pawns" ? 0.005 : undefined);
	}
	if (ending.at(-1)[1].textContent !== row[1].textContent) faults.push("the list says " + row[1].textContent + ", the terms " + ending.at(-1)[1].textContent);
	check("difference", of(row, 3), of(row, 2) - of(row, 1), of(row, 2) - of(row, 1));
	const text = document.querySelector("#why").textContent, unit = text.includes("in pawns") || text.includes("in points of the final score (") || / from -?\d+ to \d+/.test(text);
	if (!unit) faults.push("no scale");
	return faults;
})()`

// agentAndKeys checks that an agent answers a person's click, that moving, undoing and flipping the
// board work with the keyboard, and that pointing at a move shows its terms.
func agentAndKeys(t *testing.T, open opener) {
	b := open(Config{})
	at := b.open(url.Values{"game": {"chess"}, "seat1": {"alphabeta:depth=2"}})
	b.run(chromedp.Navigate(b.URL+at), chromedp.Click(`[data-place=e2]`, chromedp.ByQuery))
	if seats := script[string](b, `[...document.querySelectorAll("[data-seat]")].map((s) => [...s.querySelectorAll("[data-part]")].map((p) => p.value).join()).join("|")`); seats != ",,,,|other,alphabeta,2,," {
		t.Errorf("the form of the seats contains %s", seats)
	}
	b.until(`document.querySelector("#best[data-best]") && document.querySelector("#bar meter")`)
	if b.press(`#show-best`); script[string](b, `[...document.querySelectorAll(".place.advised")].map((p) => p.dataset.place).sort().join(" ")`) != script[string](b, `document.getElementById("best").dataset.best.split(" ").sort().join(" ")`) || !script[bool](b, `!!document.querySelector(".board .best-arrow")`) {
		t.Error("the best move is not marked by an arrow on the board")
	}
	b.press(`#show-best`)
	if n := script[int](b, `document.querySelectorAll(".place.target").length`); n != 2 {
		t.Errorf("%d target squares from e2, want 2", n)
	}
	b.run(chromedp.Click(`[data-place=e4]`, chromedp.ByQuery))
	b.until(`document.querySelector(".history li:nth-child(2)") && document.querySelector(".board[data-moves]")`)
	b.until(`document.querySelector("#why tbody tr")`)
	b.until(`(document.querySelector("#why tbody tr:nth-child(3) button").click(), document.querySelector("#terms .ending td:nth-child(3)"))`)
	b.run(chromedp.KeyEvent("u"))
	b.until(`!document.querySelector(".history") && document.querySelector(".status").innerText.includes("White")`)
	first := script[string](b, `document.querySelector(".place").dataset.place`)
	b.run(chromedp.KeyEvent("f"))
	b.until(fmt.Sprintf(`document.querySelector(".place").dataset.place !== %q`, first))

	// A position entered in the field is set up. A malformed position is rejected.
	const fen = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
	b.press("#position summary")
	b.run(chromedp.SetValue(`form input[name=position]`, fen, chromedp.ByQuery), chromedp.Click(`form:has(input[name=position]) button`, chromedp.ByQuery))
	b.until(fmt.Sprintf(`document.querySelector("[data-copy]").value === %q`, fen))
	b.run(chromedp.SetValue(`form input[name=position]`, "nonsense", chromedp.ByQuery), chromedp.Click(`form:has(input[name=position]) button`, chromedp.ByQuery))
	b.until(fmt.Sprintf(`document.querySelector("#message .error").innerText.includes("nonsense") && document.querySelector("[data-copy]").value === %q`, fen))

	b.tab.Troubles = slices.DeleteFunc(b.tab.Troubles, func(text string) bool {
		// The browser logs the rejection. It also logs a request for terms that was pending when
		// the move was undone.
		return strings.HasSuffix(text, "/position") || strings.Contains(text, "/terms?")
	})

	at = b.open(url.Values{"game": {"2048"}})
	b.run(chromedp.Navigate(b.URL + at))
	for range 4 { // at least one of the two moves is legal
		b.run(chromedp.KeyEvent("\u0303")) // right
		b.run(chromedp.KeyEvent("\u0301")) // down
	}
	b.until(`document.querySelector(".history")`)

	// A visitor's first click on the home page is their first move.
	b.run(chromedp.Navigate(b.URL+"/"), chromedp.WaitVisible(".board[data-moves]", chromedp.ByQuery))
	b.press(`.board [data-place="4"]`)
	b.until(`location.pathname.startsWith("/tables/") && document.querySelector("[data-copy]").value.length === 2 && document.querySelector(".board[data-moves]")`)
	if said := script[string](b, `document.querySelector(".who").innerText`); said != "You are Red, the computer (medium) is Yellow." {
		t.Errorf("who plays: %q", said)
	}
	// The form shows the players. Sections that the visitor has opened stay open.
	if level := script[string](b, `document.querySelectorAll("[data-part=level]")[1].selectedOptions[0].text`); level != "the computer, medium" {
		t.Errorf("the form of the other's seat says %q", level)
	}
	b.choose(`[data-part=level]`, "the computer, easy")
	if spec := script[string](b, `document.querySelector("[name=seat0]").value`); !strings.HasPrefix(spec, "mix(") {
		t.Errorf("the first seat's level is %q", spec)
	}
	b.choose(`[data-part=level]`, "another agent")
	if !script[bool](b, `document.querySelector("[data-seat] details").open`) {
		t.Error("there is no field for another agent")
	}
	b.press("#position summary")
	b.press(`.board [data-place="1"]`)
	b.until(`document.querySelector("[data-copy]").value.length === 4`)
	if !script[bool](b, `document.querySelector("#position").open`) {
		t.Error("a section opened under the board is closed after a move")
	}
	b.quiet()
}

// readsEveryPage checks that none of the listed pages is wider than the screen, at 360 pixels in
// the light scheme and at 1280 pixels in the dark scheme. No picture may cut off text, the contrast
// of text must be at least 4.5 to 1, and axe-core must not find any serious problems. If
// PLYFIT_PICTURES is set, pictures of the pages that have a name are written to that directory.
func readsEveryPage(t *testing.T, open opener) {
	folder := t.TempDir()
	vectors.Check(os.Mkdir(filepath.Join(folder, "pig"), 0o755))
	vectors.Check(os.WriteFile(filepath.Join(folder, "pig", logName), []byte(runLog), 0o644))
	playMatch(t, filepath.Join(folder, "m.jsonl"), "connect4", "alphabeta:depth=2", "random", func(c *arena.Config) {
		c.Openings.Plies, c.SPRT = 4, &stats.SPRT{High: 40}
	})
	playMatch(t, filepath.Join(folder, "othello.jsonl"), "othello", "alphabeta:depth=2", "random", func(c *arena.Config) { c.Pairs = 1 })
	b := open(Config{Runs: folder})
	chess := b.open(url.Values{"game": {"chess"}, "position": {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"}})
	pictures := os.Getenv("PLYFIT_PICTURES")
	for _, p := range []struct{ name, path, ready string }{
		{"games", "/", ".card"}, {"chess", chess, "#why tbody tr"}, {"", b.open(url.Values{"game": {"backgammon"}, "seed": {"4"}}), "#why tbody tr"},
		{"", b.open(url.Values{"game": {"doudizhu"}, "seed": {"3"}}), ".board svg"}, {"", chess + "/tree", "form"}, {"", "/at?game=othello", ".board"},
		{"steps", "/lesson/3", "figure"}, {"", "/lesson/4", ".board"}, {"", "/lesson/6", "#depth"}, {"", "/tree?step=12&by=random", ".stepping svg"}, {"", "/lesson/7", "#warp"}, {"", "/lesson/9", "#ahead"}, {"", "/models", "tbody"},
		{"model", "/model?game=chess&name=learned", "figure"}, {"", "/model?game=othello&name=learned&beside=handwritten", "figure"}, {"", "/model?game=connect4&name=handwritten&beside=learned", ".figure"},
		{"runs", "/runs", "tbody"}, {"replay", "/replay?name=othello.jsonl", "#replayed .board"},
	} {
		b.run(chromedp.Navigate(b.URL+p.path), chromedp.WaitVisible(p.ready, chromedp.ByQuery))
		if p.name == "replay" { // open a position in the middle of the game
			b.press(`#replayed button[data-key="ArrowRight"]`)
			b.until(`document.querySelector("#replayed .status").innerText.startsWith("Ply 1 of ")`)
		}
		for _, screen := range []struct {
			width  int64
			scheme string
		}{{360, "light"}, {1280, "dark"}} {
			b.tab.Screen(screen.width, screen.scheme)
			where := fmt.Sprintf("%s at %d pixels, %s", p.path, screen.width, screen.scheme)
			if wide := b.tab.Wide(); wide > int(screen.width) {
				t.Errorf("%s: %d pixels wide", where, wide)
			}
			if cut := b.tab.Cut(); len(cut) > 0 {
				t.Errorf("%s: cut off: %q", where, cut)
			}
			faint, _ := b.tab.FaintInPictures()
			if faint = append(faint, b.tab.Faint()...); len(faint) > 0 {
				t.Errorf("%s: too faint: %q", where, faint)
			}
			for _, f := range b.tab.Axe() {
				t.Errorf("%s: %s", where, f)
			}
			if pictures != "" && p.name != "" {
				vectors.Check(os.WriteFile(filepath.Join(pictures, fmt.Sprintf("%s-%d-%s.webp", p.name, screen.width, screen.scheme)), b.tab.Picture(false), 0o644))
			}
		}
	}
	b.quiet()
}

// followsTheNode checks that, on a phone, the picture of a tree scrolls to the current node,
// initially and at each step.
func followsTheNode(t *testing.T, open opener) {
	b := open(Config{})
	b.tab.Screen(390, "light")
	b.run(chromedp.Navigate(b.URL + treeLink("(max (min 3 12 8) (min 2 4 6) (min 14 5 2))", "alphabeta", 8)))
	scrolled := false
	for ended := false; !ended; {
		b.until(`document.querySelector(".stepping .tree-mark")`)
		at := script[[]float64](b, `(() => { const box = document.querySelector(".stepping"), of = box.getBoundingClientRect(), at = box.querySelector(".tree-mark").getBoundingClientRect(); return [at.left - of.left, of.right - at.right, box.scrollLeft]; })()`)
		said := script[string](b, `document.querySelector("#stepped .status").innerText`)
		if scrolled = scrolled || at[2] > 0; at[0] < 0 || at[1] < 0 {
			t.Errorf("%s The node is %.0f pixels from the left edge and %.0f from the right", said, at[0], at[1])
		}
		if ended = script[bool](b, `document.getElementById("step-ArrowRight").disabled`); !ended {
			b.press("#step-ArrowRight")
			b.until(fmt.Sprintf(`document.querySelector("#stepped .status").innerText !== %q`, said))
		}
	}
	if !scrolled {
		t.Error("the picture never scrolls; want a tree wider than the screen")
	}
	b.quiet()
}

// watchesTheRuns checks that the list of runs is updated while a run is in progress, with its
// progress bar and the text of its terminal line. If PLYFIT_PICTURES is set, pictures of the list
// are written to that directory.
func watchesTheRuns(t *testing.T, open opener) {
	folder := runFolder(t, map[string]string{"pig/" + logName: runLog, "study/cells/v/warp.jsonl": "{}\n", "study/report.md": "# Which errors cost more?\n"})
	playMatch(t, filepath.Join(folder, "m.jsonl"), "connect4", "alphabeta:depth=2", "random", nil)
	run := filepath.Join(folder, "pig")
	b := open(Config{Runs: folder})
	picture := func(name string) {
		for _, width := range []int64{360, 1280} {
			b.tab.Screen(width, "light")
			if wide := b.tab.Wide(); wide > int(width) {
				t.Errorf("%s: %d pixels wide at %d", name, wide, width)
			}
			if dir := os.Getenv("PLYFIT_PICTURES"); dir != "" {
				vectors.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.webp", name, width)), b.tab.Picture(false), 0o644))
			}
		}
	}
	err := work.Alone(run, func() error {
		tell := work.ProgressWriter(run)
		tell(300, 3000, "games of pig: 9s left, 300 of 3000")
		b.run(chromedp.Navigate(b.URL+"/runs"), chromedp.WaitVisible("progress", chromedp.ByQuery))
		b.until(`document.querySelector("progress").value === 10`)
		picture("runs-going")
		tell(2400, 3000, "games of pig: 2s left, 2400 of 3000")
		b.until(`document.querySelector("progress").value === 80 && document.querySelector("#runs").innerText.includes("2s left, 2400 of 3000")`)
		return os.WriteFile(filepath.Join(run, reportName), []byte("<p>done"), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	b.until(`!document.querySelector("progress") && document.querySelector("#runs").innerText.includes("finished")`)
	picture("runs-after")
	b.quiet()
}
