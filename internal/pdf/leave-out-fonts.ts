/**
 * pdf.js converts each glyph of a page to an outline unless it can give the fonts to a browser.
 * Text, lines and images need neither, and the outlines take a tenth of the time of a first
 * file. So pdf.js gets a fake browser that accepts fonts and does nothing.
 */

class UnusedFont {
  readonly loaded = Promise.resolve(this)
}

const ignore = (): void => undefined
const FONT_SET = { add: ignore, delete: ignore } as const

/** Options of `getDocument`. */
export const FONTS_LEFT_OUT = {
  disableFontFace: false,
  // pdf.js uses only these two methods of the document
  ownerDocument: Object.assign(Object.create(null), { fonts: FONT_SET }),
} as const

if (!('FontFace' in globalThis)) Object.assign(globalThis, { FontFace: UnusedFont })
