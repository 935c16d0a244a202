package serve

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plyfit/study/report"
)

// luminance is a colour's relative luminance (WCAG 2.2).
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("colour %q", colour)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(n>>(16-8*i)&255) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

var variable = regexp.MustCompile(`--([a-z0-9-]+): ?(#[0-9a-f]{6})`)

// No colour that text has is closer than 4.5 to 1 to a ground that it stands on: those of
// the style sheet and of figures, in both schemes.
func TestContrastOfThePalette(t *testing.T) {
	css, err := assetFiles.ReadFile("assets/page.css")
	if err != nil {
		t.Fatal(err)
	}
	check := func(where, text, ground string) {
		t.Helper()
		if c := contrast(luminance(t, text), luminance(t, ground)); c < 4.5 {
			t.Errorf("%s: %s on %s: %.2f to 1", where, text, ground, c)
		}
	}
	light, dark, found := strings.Cut(string(css), "prefers-color-scheme: dark")
	if !found {
		t.Fatal("no dark scheme")
	}
	dark, _, _ = strings.Cut(dark, "* {")
	figures := strings.Split(report.Palette, "@media")
	light, dark = light+figures[0], dark+figures[1]
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		of := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(text, -1) {
			of[m[1]] = m[2]
		}
		if len(of) < 12 {
			t.Fatalf("%s: %d colours", scheme, len(of))
		}
		for _, ground := range []string{"ground", "card", "chip", "mark"} {
			for _, ink := range []string{"ink", "soft", "good", "bad"} {
				check(scheme+" "+ink+" on "+ground, of[ink], of[ground])
			}
		}
		check(scheme+" links", of["accent"], of["card"])
		check(scheme+" links", of["accent"], of["ground"])
		check(scheme+" buttons", of["accent-ink"], of["accent"])
		for k := 1; of[fmt.Sprint("c", k)] != ""; k++ {
			check(scheme+" figures", of[fmt.Sprint("c", k)], of["card"])
		}
	}
}
