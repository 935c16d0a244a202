//go:build browser

// Package browser opens pages in headless Chromium for tests. It checks that no page is wider than
// the screen, that all text has enough contrast, and that axe-core finds no serious problems.
//
//  1. [Start] starts the browser, [Browser.Tab] opens a tab, and [Tab.Run] performs actions
//     in it.
//
//  2. [Evaluate] evaluates JavaScript in the page and returns its value.
//
//  3. [Tab.Screen] sets the screen size and colour scheme. [Tab.Wide], [Tab.Faint],
//     [Tab.FaintInPictures], [Tab.Cut] and [Tab.Axe] report problems.
package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A Browser is a running headless Chromium.
type Browser struct{ context context.Context }

// A Tab is a tab of a [Browser].
type Tab struct {
	testing.TB
	Context  context.Context
	Troubles []string // errors in the page's console, and uncaught exceptions
}

// Start starts a browser that is closed when t ends. If Chromium is not installed, Start skips the
// test, or fails it in continuous integration.
func Start(t testing.TB) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("chromium not found; run apt-get install chromium")
		}
		t.Skip("no chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"), chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(2*time.Minute)) // a busy machine needs more than the default 20 s
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return &Browser{ctx}
}

// Fresh is like [Browser.Tab], but opens the tab in a new profile.
func (b *Browser) Fresh(t testing.TB) *Tab {
	t.Helper()
	var id target.ID
	err := chromedp.Run(b.context, chromedp.ActionFunc(func(ctx context.Context) error {
		ctx = cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser)
		profile, err := target.CreateBrowserContext().Do(ctx)
		if err != nil {
			return err
		}
		t.Cleanup(func() { target.DisposeBrowserContext(profile).Do(ctx) })
		id, err = target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(ctx)
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	return b.Tab(t, chromedp.WithTargetID(id))
}

// Tab opens an empty tab that is closed when t ends.
func (b *Browser) Tab(t testing.TB, options ...chromedp.ContextOption) *Tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(b.context, options...)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 8*time.Minute)
	t.Cleanup(stop)
	tab := &Tab{TB: t, Context: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			tab.Troubles = append(tab.Troubles, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			tab.Troubles = append(tab.Troubles, e.Entry.Text+" "+e.Entry.URL)
		}
	})
	tab.Run(log.Enable())
	return tab
}

// Run performs actions in sequence. It fails the test if one of them fails.
func (b *Tab) Run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.Context, actions...); err != nil {
		b.Fatal(err)
	}
}

// Evaluate evaluates JavaScript in the page and returns its value. If the value is a promise, it
// waits for the result.
func Evaluate[T any](b *Tab, text string) (value T) {
	b.Helper()
	b.Run(chromedp.Evaluate(text, &value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// Holds reports whether a condition in JavaScript is true. It returns false while the page is
// navigating, and if the condition throws an exception.
func (b *Tab) Holds(condition string) (holds bool) {
	b.Helper()
	err := chromedp.Run(b.Context, chromedp.Evaluate("(() => { try { return !!("+condition+"); } catch { return false; } })()", &holds))
	switch {
	case err == nil:
		return holds
	case strings.Contains(err.Error(), "Inspected target navigated"):
		return false
	}
	b.Fatal(err)
	return false
}

// Screen sets the width of the screen in CSS pixels and the colour scheme, "light" or "dark". A
// screen narrower than 600 pixels counts as a phone.
func (b *Tab) Screen(width int64, scheme string) {
	b.Helper()
	b.Run(emulation.SetDeviceMetricsOverride(width, 800, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// Picture returns a screenshot as WebP. If whole is true, it includes the parts of the page outside
// the screen.
func (b *Tab) Picture(whole bool) (webp []byte) {
	b.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		shot := page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(55)
		webp, err = shot.WithCaptureBeyondViewport(whole).Do(ctx)
		return err
	}))
	return webp
}

// Wide returns the width of the page's content in pixels.
func (b *Tab) Wide() int {
	b.Helper()
	return Evaluate[int](b, `document.documentElement.scrollWidth`)
}

// Faint returns up to five pieces of text, excluding pictures, whose contrast with their background
// is below 4.5 to 1 (WCAG 2.2, success criterion 1.4.3).
func (b *Tab) Faint() []string {
	b.Helper()
	return Evaluate[[]string](b, contrastScript)
}

// FaintInPictures returns up to ten pieces of text, within pictures, whose contrast with the shapes
// behind them is below 4.5 to 1. It also returns the number of measured points, three per piece of
// text. Shapes drawn after a text, such as click targets, are ignored.
func (b *Tab) FaintInPictures() (faint []string, points int) {
	b.Helper()
	found := Evaluate[struct {
		Faint  []string
		Points int
	}](b, pictureScript)
	return found.Faint, found.Points
}

// Cut returns up to five pieces of text that extend beyond the edge of their picture, where they
// are not visible.
func (b *Tab) Cut() []string {
	b.Helper()
	return Evaluate[[]string](b, `[...document.querySelectorAll("svg text")].filter((e) => {
		const r = e.getBoundingClientRect(), edge = e.ownerSVGElement.getBoundingClientRect();
		return r.width && (r.left < edge.left - 1 || r.right > edge.right + 1 || r.top < edge.top - 1 || r.bottom > edge.bottom + 1);
	}).map((e) => e.textContent).slice(0, 5)`)
}

// Axe returns the problems that axe-core rates as serious or critical. PLYFIT_AXE is the path of
// axe.min.js. If it is not set, Axe returns nothing or, in continuous integration, fails the test.
func (b *Tab) Axe() []string {
	b.Helper()
	path := os.Getenv("PLYFIT_AXE")
	if path == "" && os.Getenv("CI") != "" {
		b.Fatal("PLYFIT_AXE is not set; .ci/run installs axe-core with npm")
	}
	if path == "" {
		return nil
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Run(chromedp.Evaluate(string(axe)+";0", nil))
	return Evaluate[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then((r) =>
		r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")))`)
}

// Click dispatches a click event to the element that the selector matches.
func (b *Tab) Click(selector string) {
	b.Helper()
	quoted, err := json.Marshal(selector)
	if err != nil {
		b.Fatal(err)
	}
	if !Evaluate[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%s); if (e) e.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})); return !!e; })()`, quoted)) {
		b.Fatalf("nothing to click at %s", selector)
	}
}

const contrastScript = `(() => {
  const parts = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const light = (c) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
  const out = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length || e.matches(".skip")) continue;
    let behind = e, ground = null;
    while (behind && !ground) { const c = parts(getComputedStyle(behind).backgroundColor); if (c.length === 3 || c[3] === 1) ground = c; behind = behind.parentElement; }
    const a = light(parts(getComputedStyle(e).color)), z = light(ground || [255, 255, 255]);
    if ((Math.max(a, z) + 0.05) / (Math.min(a, z) + 0.05) < 4.5) out.push(e.tagName + " " + e.textContent.trim().slice(0, 30));
  }
  return out.slice(0, 5);
})()`

const pictureScript = `(() => {
  const parts = (c) => (c.match(/[\d.]+/g) || []).map(Number);
  const light = (c) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
  const contrast = (c, d) => { const a = light(c), z = light(d); return (Math.max(a, z) + 0.05) / (Math.min(a, z) + 0.05); };
  const over = (above, share, below) => above.slice(0, 3).map((v, i) => share * v + (1 - share) * below[i]);
  const ground = (e) => {
    for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c.slice(0, 3); }
    return [255, 255, 255];
  };
  const share = (e, svg) => { let s = 1; for (; e && e !== svg; e = e.parentElement) s *= Number(getComputedStyle(e).opacity); return s; };
  const faint = new Set();
  let points = 0;
  for (const text of document.querySelectorAll("svg text")) {
    if (!text.checkVisibility()) continue; // in what is folded up
    const svg = text.closest("svg"), style = getComputedStyle(text);
    svg.style.pointerEvents = "auto"; // else nothing is found at a point of it
    text.scrollIntoView({ block: "center", inline: "center" });
    const box = text.getBoundingClientRect();
    for (const part of [0.1, 0.5, 0.9]) {
      const there = document.elementsFromPoint(box.left + part * box.width, box.top + box.height / 2);
      const shapes = there.filter((s) => s.tagName !== "text" && s !== svg && svg.contains(s) && (s.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING));
      let behind = ground(svg);
      for (const shape of shapes.reverse()) {
        const s = getComputedStyle(shape), c = parts(s.fill);
        if (s.fill !== "none") behind = over(c, Number(s.fillOpacity) * (c.length > 3 ? c[3] : 1) * share(shape, svg), behind);
      }
      const ink = over(parts(style.fill), Number(style.fillOpacity) * share(text, svg), behind);
      points++;
      if (contrast(ink, behind) < 4.5) faint.add(text.textContent + ", " + ink.map(Math.round) + " on " + behind.map(Math.round) + ": " + contrast(ink, behind).toFixed(2));
    }
  }
  for (const e of document.querySelectorAll(".scroll, .tall")) e.scrollTo(0, 0);
  scrollTo(0, 0);
  return { faint: [...faint].slice(0, 10), points };
})()`
