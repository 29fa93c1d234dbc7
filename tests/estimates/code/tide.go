// Package tide looks up the water level at a berth.
package tide

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"time"
)

// ErrNoReading is returned when no gauge reported within the window.
var ErrNoReading = errors.New("tide: no reading")

type Reading struct {
	At    time.Time `json:"at"`
	Metre float64   `json:"metre"`
}

type Gauge struct {
	mu       sync.RWMutex
	readings []Reading
	maxAge   time.Duration
}

func NewGauge(maxAge time.Duration) *Gauge {
	return &Gauge{maxAge: maxAge}
}

// Add keeps the readings in the order of their time.
func (g *Gauge) Add(r Reading) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := sort.Search(len(g.readings), func(i int) bool { return g.readings[i].At.After(r.At) })
	g.readings = append(g.readings, Reading{})
	copy(g.readings[i+1:], g.readings[i:])
	g.readings[i] = r
}

func (g *Gauge) Level(ctx context.Context, at time.Time) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("level at %s: %w", at.Format(time.RFC3339), err)
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	for i := len(g.readings) - 1; i >= 0; i-- {
		r := g.readings[i]
		if r.At.After(at) {
			continue
		}
		if at.Sub(r.At) > g.maxAge {
			break
		}
		return r.Metre, nil
	}
	return 0, ErrNoReading
}
