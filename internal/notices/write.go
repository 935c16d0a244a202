package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Notices writes the licences of all parts, equal texts of one part once.
func Notices(w io.Writer, parts []Part) error {
	var b strings.Builder
	b.WriteString("plyfit contains work of others, under these terms.\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "  %s %s\n", p.Name, p.Version)
	}
	if freeType(parts) { // whose licence asks for it
		b.WriteString("\nThis software is based in part on the work of the FreeType Team.\n")
	}
	for _, p := range parts {
		written := map[string]bool{}
		for _, l := range p.Licences {
			text := strings.TrimSpace(l.Text)
			if written[text] {
				continue
			}
			written[text] = true
			rule := strings.Repeat("=", 80)
			fmt.Fprintf(&b, "\n%s\n%s %s: %s\n%s\n\n%s\n", rule, p.Name, p.Version, l.Name, rule, text)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func freeType(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool {
		return slices.ContainsFunc(p.Licences, func(l Licence) bool { return spdx(l.Text) == "FTL" })
	})
}

// The part of CycloneDX 1.6 that is written.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	Licences   []choice   `json:"licenses,omitempty"`
	Package    string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type choice struct {
	Licence licence `json:"license"`
}

type licence struct {
	ID   string `json:"id,omitempty"` // as SPDX calls it
	Name string `json:"name,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn,omitempty"`
}

// Bill writes the list of parts. It gives a licence by its name with SPDX where the text
// is one of those that [spdx] knows, else by the name of its file in NOTICES.
func Bill(w io.Writer, parts []Part) error {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Ref: "plyfit", Name: "plyfit", Licences: []choice{{licence{ID: "BSD-3-Clause"}}}}
	whole := dependency{Ref: "plyfit"}
	for _, p := range parts {
		c := component{Type: "library", Ref: p.Name + "@" + p.Version, Name: p.Name, Version: p.Version}
		switch {
		case p.Sum != "":
			c.Package = purl(p.Name, p.Version)
			c.Properties = []property{{"go.sum", p.Sum}}
		case p.Name == "std":
			c.Package = purl(p.Name, p.Version)
		default:
			c.Package = "pkg:npm/" + p.Name + ".org@" + p.Version
		}
		seen := map[licence]bool{}
		for _, l := range p.Licences {
			one := licence{ID: spdx(l.Text)}
			if one.ID == "" {
				one.Name = l.Name
			}
			if !seen[one] && !l.besides() {
				seen[one] = true
				c.Licences = append(c.Licences, choice{one})
			}
		}
		b.Components = append(b.Components, c)
		whole.On = append(whole.On, c.Ref)
		b.Dependencies = append(b.Dependencies, dependency{Ref: c.Ref})
	}
	b.Dependencies = append([]dependency{whole}, b.Dependencies...)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(&b)
}

// besides reports whether a file stands beside the licence proper.
func (l *Licence) besides() bool {
	name := strings.ToLower(path.Base(l.Name))
	return strings.HasPrefix(name, "authors") || strings.HasPrefix(name, "patents")
}

// purl is a module's package URL (purl-spec, type golang).
func purl(name, version string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return "pkg:golang/" + strings.Join(parts, "/") + "@" + url.PathEscape(version)
}

// spdx is the identifier of a licence by what only its text says; "" for others.
func spdx(text string) string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(part string) bool { return strings.Contains(words, part) }
	switch {
	case has("apache license") && has("version 2.0, january 2004"):
		return "Apache-2.0"
	case has("mozilla public license") && has("2.0"):
		return "MPL-2.0"
	case has("creative commons attribution 4.0 international"):
		return "CC-BY-4.0"
	case has("the freetype project license"):
		return "FTL"
	case has("sil open font license version 1.1"):
		return "OFL-1.1"
	case has("permission is hereby granted, free of charge") && has("the above copyright notice and this permission notice"):
		return "MIT"
	case has("redistribution and use in source and binary forms"):
		if has("neither the name") || has("the names of its contributors") || has("may not be used to endorse") || has("may be used to endorse") {
			return "BSD-3-Clause"
		}
		return "BSD-2-Clause"
	case has("permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted."):
		if has("provided that the above copyright notice") {
			return "ISC"
		}
		return "0BSD"
	}
	return ""
}
