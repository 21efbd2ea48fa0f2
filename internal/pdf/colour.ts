/** Colours as pdf.js gives them. */

/** `#rrggbb`, or null for a pattern or another paint that is not a plain colour. */
export type Colour = string | null

type Rgb = readonly [red: number, green: number, blue: number]

const toRgb = (colour: Colour): Rgb =>
  colour === null
    ? [0, 0, 0]
    : [1, 3, 5].reduce<Rgb>(
        (known, at) => [known[1], known[2], Number.parseInt(colour.slice(at, at + 2), 16) / 255],
        [0, 0, 0],
      )

export const isRed = (colour: Colour): boolean => {
  const [red, green, blue] = toRgb(colour)
  return red > 0.7 && green < 0.3 && blue < 0.3
}

/** Whether the colour is invisible on white paper. */
export const isWhite = (colour: Colour): boolean => toRgb(colour).every((part) => part > 0.95)

/** How bright the colour is, from 0 to 1. */
export const luminanceOf = (colour: Colour): number => {
  const [red, green, blue] = toRgb(colour)
  return 0.3 * red + 0.59 * green + 0.11 * blue
}
