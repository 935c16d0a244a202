package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	own "plyfit/internal/program"
)

// TestNotices: every module of the program is listed with a licence that has a name, its
// text is in NOTICES, and two runs give the same bytes.
func TestNotices(t *testing.T) {
	t.Chdir("../..")
	write := func() (parts []Part, notices, list []byte) {
		parts, err := linked(program, []string{"linux/amd64", "windows/amd64"})
		if err != nil {
			t.Fatal(err)
		}
		var a, b bytes.Buffer
		if err := Notices(&a, parts); err != nil {
			t.Fatal(err)
		}
		if err := Bill(&b, parts); err != nil {
			t.Fatal(err)
		}
		return parts, a.Bytes(), b.Bytes()
	}
	parts, notices, list := write()
	if _, again, listed := write(); !bytes.Equal(notices, again) || !bytes.Equal(list, listed) {
		t.Error("a second run gives other bytes")
	}
	names := map[string]bool{}
	for _, p := range parts {
		names[p.Name] = true
		known := false
		for _, l := range p.Licences {
			known = known || spdx(l.Text) != ""
			if !bytes.Contains(notices, []byte(strings.TrimSpace(l.Text))) {
				t.Errorf("%s: NOTICES lacks %s", p.Name, l.Name)
			}
		}
		if !known {
			t.Errorf("%s %s: no licence that SPDX names among its files: spdx has to know it", p.Name, p.Version)
		}
	}
	// Linked everywhere, under Windows alone, beside the modules, and in tests alone.
	for name, want := range map[string]bool{"github.com/parquet-go/parquet-go": true, "github.com/inconshreveable/mousetrap": true, "std": true, "htmx": true, "pgregory.net/rapid": false, own.Module(): false} {
		if names[name] != want {
			t.Errorf("%s is listed: %v, want %v", name, names[name], want)
		}
	}
	checkBill(t, list, len(parts))
}

// checkBill checks the form of CycloneDX 1.6 as its schema wants it, as far as we use it.
func checkBill(t *testing.T, data []byte, parts int) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var b bill
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Spec != "1.6" || b.Version < 1 || len(b.Components) != parts || len(b.Dependencies) != parts+1 {
		t.Errorf("%s %s, version %d, %d components, %d dependencies", b.Format, b.Spec, b.Version, len(b.Components), len(b.Dependencies))
	}
	kinds := []string{"application", "library"}
	purl := regexp.MustCompile(`^pkg:(golang|npm)/[^@ ]+@[^@ ]+$`)
	refs := map[string]bool{}
	for _, c := range append([]component{b.Metadata.Component}, b.Components...) {
		if !slices.Contains(kinds, c.Type) || c.Name == "" || c.Ref == "" || refs[c.Ref] || len(c.Licences) == 0 {
			t.Errorf("component %+v: want a type, a name, licences and a bom-ref of its own", c)
		}
		refs[c.Ref] = true
		for _, l := range c.Licences {
			if (l.Licence.ID == "") == (l.Licence.Name == "") {
				t.Errorf("%s: licence %+v: want an id or a name", c.Name, l)
			}
		}
		if c.Type == "library" && (!purl.MatchString(c.Package) || c.Version == "") {
			t.Errorf("%s: purl %q, version %q", c.Name, c.Package, c.Version)
		}
	}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.On, d.Ref) {
			if !refs[ref] {
				t.Errorf("dependency on %q, which is no component", ref)
			}
		}
	}
}

// TestSPDX: licences are told apart.
func TestSPDX(t *testing.T) {
	const bsd = "Redistribution and use in source and\nbinary forms"
	for text, want := range map[string]string{
		bsd: "BSD-2-Clause", bsd + " Neither the name of": "BSD-3-Clause", "All rights reserved.": "",
		"Apache License\n Version 2.0, January 2004": "Apache-2.0",
	} {
		if got := spdx(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
