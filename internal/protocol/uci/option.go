package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/internal/program"
	"plyfit/internal/protocol"
)

// An Option sets an option of an engine. The value "on" presses a button.
type Option struct{ Name, Value string }

// An Offer is an option that an engine supports.
type Offer struct {
	Name, Type  string
	Default     string
	least, most string   // limits of a spin option; "" if not given
	vars        []string // values of a combo option
}

// Spin returns the default and the limits of a whole-number option. ok is false if the option has
// another type, does not state all three numbers, or has a default outside the limits.
func (o Offer) Spin() (usual, least, most int, ok bool) {
	var n [3]int
	for i, text := range []string{o.Default, o.least, o.most} {
		var err error
		if n[i], err = strconv.Atoi(text); err != nil {
			return 0, 0, 0, false
		}
	}
	return n[0], n[1], n[2], o.Type == "spin" && n[1] <= n[0] && n[0] <= n[2]
}

// Offers starts an engine and returns its options, in the engine's order.
func Offers(ctx context.Context, l *program.Launcher, timeout time.Duration) (list []Offer, err error) {
	e, err := l.Start(ctx, func(e *program.Engine) (err error) {
		list, err = offers(ctx, e, cmp.Or(timeout, protocol.Timeout))
		return err
	})
	if err == nil {
		e.Close("quit")
	}
	return list, err
}

// offers asks a new engine for its options.
func offers(ctx context.Context, e *program.Engine, timeout time.Duration) (list []Offer, err error) {
	if err := e.Send("uci"); err != nil {
		return nil, err
	}
	refusal := ""
	_, err = e.Await(ctx, timeout, "uciok", func(line string) bool {
		if refuses(line) {
			refusal = line
			return true
		}
		words := strings.Fields(line)
		if len(words) > 0 && words[0] == "option" {
			list = append(list, readOption(words[1:]))
		}
		return len(words) > 0 && words[0] == "uciok"
	})
	if refusal != "" {
		return nil, e.Odd(refusal, wantUCI)
	}
	if fault := new(program.EngineError); errors.As(err, &fault) && fault.Kind == program.Time {
		fault.What += ": want " + wantUCI
	}
	return list, err
}

func readOption(words []string) (o Offer) {
	key := ""
	value := []string{}
	fields := map[string]*string{"name": &o.Name, "type": &o.Type, "default": &o.Default, "min": &o.least, "max": &o.most}
	done := func() {
		text := strings.Join(value, " ")
		if field := fields[key]; field != nil {
			*field = text
		} else if key == "var" {
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

// set returns the command that sets the option. If the value is invalid, the error lists the values
// that the engine accepts.
func (o Offer) set(value string) (string, error) {
	want := ""
	switch o.Type {
	case "button":
		if value == "on" {
			return "setoption name " + o.Name, nil
		}
		want = "on, because the option is a button"
	case "check":
		if value = strings.ToLower(value); value != "true" && value != "false" {
			want = "true or false"
		}
	case "spin":
		n, err := strconv.ParseInt(value, 10, 64)
		least, none := strconv.ParseInt(o.least, 10, 64)
		most, endless := strconv.ParseInt(o.most, 10, 64)
		if err != nil || none == nil && n < least || endless == nil && n > most {
			want = "a whole number"
			for i, limit := range []string{o.least, o.most} {
				if limit != "" {
					want += []string{" from ", " to "}[i] + limit
				}
			}
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
		return "", fmt.Errorf("option %s=%s: want %s", o.Name, value, want)
	}
	return "setoption name " + o.Name + " value " + value, nil
}
