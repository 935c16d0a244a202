package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Option is an engine's option. The value on presses a button.
type Option struct{ Name, Value string }

type offer struct {
	name, kind string
	min, max   string   // of a spin; "": none
	vars       []string // of a combo
}

func readOption(words []string) (o offer) {
	key := ""
	value := []string{}
	done := func() {
		switch text := strings.Join(value, " "); key {
		case "name":
			o.name = text
		case "type":
			o.kind = text
		case "min":
			o.min = text
		case "max":
			o.max = text
		case "var":
			o.vars = append(o.vars, text)
		}
		value = value[:0]
	}
	for _, w := range words {
		switch {
		case w == "name" && key == "", w == "type" && key == "name", key != "" && key != "name" && (w == "default" || w == "min" || w == "max" || w == "var"):
			done()
			key = w
		default:
			value = append(value, w)
		}
	}
	done()
	return o
}

// set is the line that sets the option. The error says what the engine offers.
func (o offer) set(value string) (string, error) {
	want := ""
	switch o.kind {
	case "button":
		if value == "on" {
			return "setoption name " + o.name, nil
		}
		want = "on, since it is a button"
	case "check":
		if value = strings.ToLower(value); value != "true" && value != "false" {
			want = "true or false"
		}
	case "spin":
		n, err := strconv.ParseInt(value, 10, 64)
		least, none := strconv.ParseInt(o.min, 10, 64)
		most, endless := strconv.ParseInt(o.max, 10, 64)
		if err != nil || none == nil && n < least || endless == nil && n > most {
			want = "a whole number" + span(" from ", o.min) + span(" to ", o.max)
		}
	case "combo":
		at := slices.IndexFunc(o.vars, func(v string) bool { return strings.EqualFold(v, value) })
		if at < 0 {
			want = "one of " + strings.Join(o.vars, ", ")
			break
		}
		value = o.vars[at]
	}
	if want != "" {
		return "", fmt.Errorf("option %s=%s: want %s", o.name, value, want)
	}
	return "setoption name " + o.name + " value " + value, nil
}

func span(word, limit string) string {
	if limit == "" {
		return ""
	}
	return word + limit
}
