//go:build browser

// Package browser opens pages in headless Chromium for tests, and measures what a
// reader of them needs: that nothing is wider than the screen, no text too faint,
// and nothing that axe-core calls serious.
//
//  1. [Start] starts the browser, [Browser.Tab] opens a page in it, and [Tab.Run] does
//     things there.
//
//  2. [Evaluate] runs JavaScript in the page and reads its value.
//
//  3. [Tab.Screen] sets the screen and its colours; [Tab.Wide], [Tab.Faint],
//     [Tab.FaintInPictures], [Tab.Cut] and [Tab.Axe] measure what is wrong.
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

// Browser is headless Chromium under way.
type Browser struct{ context context.Context }

// Tab is a page of it.
type Tab struct {
	testing.TB
	Context  context.Context
	Troubles []string // errors on the page's console, and exceptions
}

// Start starts the browser, which ends with t. The test is skipped where none is
// installed, except in continuous integration, which installs one.
func Start(t testing.TB) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no chromium: want apt-get install chromium")
		}
		t.Skip("no chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath("chromium"), chromedp.WindowSize(1280, 900),
		chromedp.WSURLReadTimeout(2*time.Minute)) // on a busy machine it takes longer than the usual 20 s to start
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(stop)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return &Browser{ctx}
}

// Fresh opens an empty page like [Browser.Tab], but in a new profile.
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

// Tab opens an empty page, which is closed when t ends.
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

// Run does actions, one after the other.
func (b *Tab) Run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.Context, actions...); err != nil {
		b.Fatal(err)
	}
}

// Evaluate runs JavaScript in the page and reads its value, a promise's once it is kept.
func Evaluate[T any](b *Tab, text string) (value T) {
	b.Helper()
	b.Run(chromedp.Evaluate(text, &value, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return value
}

// Holds reports whether a condition in JavaScript holds by now. While the page is on its
// way to another it does not, nor where it cannot be evaluated yet.
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

// Screen sets the width in CSS pixels, below 600 that of a telephone, and the colour
// scheme, "light" or "dark".
func (b *Tab) Screen(width int64, scheme string) {
	b.Helper()
	b.Run(emulation.SetDeviceMetricsOverride(width, 800, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// Picture is the page from top to bottom, or what fits the screen, as WebP.
func (b *Tab) Picture(whole bool) (webp []byte) {
	b.Helper()
	b.Run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		shot := page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatWebp).WithQuality(55)
		webp, err = shot.WithCaptureBeyondViewport(whole).Do(ctx)
		return err
	}))
	return webp
}

// Wide is how many pixels the page asks for across.
func (b *Tab) Wide() int {
	b.Helper()
	return Evaluate[int](b, `document.documentElement.scrollWidth`)
}

// Faint lists the texts outside of pictures whose contrast to the nearest ground
// behind them is below 4.5 to 1 (WCAG 2.2, success criterion 1.4.3), five at most.
func (b *Tab) Faint() []string {
	b.Helper()
	return Evaluate[[]string](b, contrastScript)
}

// FaintInPictures lists the texts of pictures whose contrast to what is drawn behind
// them is below 4.5 to 1, ten at most, and counts the points that were measured: three
// a text. What is drawn after a text, such as places to click, counts as clear.
func (b *Tab) FaintInPictures() (faint []string, points int) {
	b.Helper()
	found := Evaluate[struct {
		Faint  []string
		Points int
	}](b, pictureScript)
	return found.Faint, found.Points
}

// Cut lists the texts of pictures that reach beyond their picture's edge, five at
// most: what lies there is not seen.
func (b *Tab) Cut() []string {
	b.Helper()
	return Evaluate[[]string](b, `[...document.querySelectorAll("svg text")].filter((e) => {
		const r = e.getBoundingClientRect(), edge = e.ownerSVGElement.getBoundingClientRect();
		return r.width && (r.left < edge.left - 1 || r.right > edge.right + 1 || r.top < edge.top - 1 || r.bottom > edge.bottom + 1);
	}).map((e) => e.textContent).slice(0, 5)`)
}

// Axe lists what axe-core finds serious or critical on the page: nothing where
// PLYFIT_AXE does not name its axe.min.js, which continuous integration gets from npm.
func (b *Tab) Axe() []string {
	b.Helper()
	path := os.Getenv("PLYFIT_AXE")
	if path == "" && os.Getenv("CI") != "" {
		b.Fatal("no PLYFIT_AXE: .ci/run gets axe-core by npm")
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

// Click clicks at the centre of what a selector names, as a script does.
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
