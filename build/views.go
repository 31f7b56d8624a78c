package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"github.com/stile-playground/stile/build/internal/checkout"
)

// viewsFolder has pictures of the most common views.
const viewsFolder = "web/tests/views"

// viewTest is the browser test that makes the pictures and compares the page with them.
const viewTest = "tests/views.spec.ts"

// shrinkViews packs the pictures again, with at most 256 colours: all that a browser
// draws except shades at the edges of letters, which the test tolerates.
func (r repo) shrinkViews() error {
	names, err := filepath.Glob(r.Path(viewsFolder, "*.png"))
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return err
		}
		if _, done := picture.(*image.Paletted); done {
			continue
		}
		var out bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&out, paletted(picture)); err != nil {
			return err
		}
		if err := checkout.WriteFile(name, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// paletted returns a picture in at most 256 colours. Of colours that agree in the upper half of the
// bits of each channel, the most frequent one replaces the others.
func paletted(picture image.Image) *image.Paletted {
	bounds := picture.Bounds()
	count := map[color.NRGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)]++
		}
	}
	colours := make([]color.NRGBA, 0, len(count))
	for c := range count {
		colours = append(colours, c)
	}
	number := func(c color.NRGBA) int { return int(c.R)<<16 + int(c.G)<<8 + int(c.B) }
	slices.SortFunc(colours, func(a, b color.NRGBA) int {
		return cmp.Or(count[b]-count[a], number(a)-number(b))
	})
	palette := make(color.Palette, 0, 256)
	taken := map[[3]uint8]bool{}
	for _, c := range colours {
		if alike := [3]uint8{c.R >> 4, c.G >> 4, c.B >> 4}; !taken[alike] && len(palette) < 256 {
			taken[alike] = true
			palette = append(palette, c)
		}
	}
	out := image.NewPaletted(bounds, palette)
	nearest := map[color.NRGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			at, known := nearest[c]
			if !known {
				at = uint8(palette.Index(c))
				nearest[c] = at
			}
			out.SetColorIndex(x, y, at)
		}
	}
	return out
}
