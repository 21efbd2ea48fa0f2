/** Detects text whose fonts map no letters. pdf.js then returns the codes of the glyphs as letters. */
import type { PageContent } from '#registry/page-content.ts'
import type { Glyph } from './page-glyphs.ts'
import type { PageRuns } from './repair-texts.ts'

/** The least share of Hangul in the letters of a certificate. */
const LEAST_HANGUL = 0.1
/** The least number of codes that are not letters of any script. A text in another script has none. */
const LEAST_CODES = 5

/** Whether the pages have hardly any Hangul in their text. */
export const lacksHangul = (pages: readonly PageContent[]): boolean => {
  let [all, hangul] = [0, 0]
  for (const { text } of pages.flatMap(({ texts }) => texts)) {
    all += text.length
    hangul += text.match(/[가-힣]/g)?.length ?? 0
  }
  return hangul < all * LEAST_HANGUL
}

const isCode = ({ code, letter }: Glyph): boolean => letter === String.fromCharCode(code)
/** Control characters, private-use characters, and scripts that no Korean file uses. */
const NO_LETTER = /[\p{Cc}\p{Co}\u0100-\u1fff\ua4d0-\uabff]/u

/** The fonts whose glyphs have codes instead of letters. */
export const unnamedFonts = (pages: readonly PageRuns[]): ReadonlySet<string> => {
  const glyphs = pages.flatMap(({ runs }) => runs.flatMap((run) => run.glyphs))
  const named = new Set(glyphs.filter((glyph) => !isCode(glyph)).map(({ font }) => font))
  const odd = new Map<string, Set<number>>()
  for (const { font, code, letter } of glyphs) {
    if (named.has(font) || !NO_LETTER.test(letter)) continue
    const codes = odd.get(font) ?? new Set<number>()
    odd.set(font, codes.add(code))
  }
  return new Set([...odd].filter(([, codes]) => codes.size >= LEAST_CODES).map(([font]) => font))
}

/** Whether most of the text is set in fonts that map no letters. */
export const isUnnamed = (pages: readonly PageRuns[]): boolean => {
  const fonts = unnamedFonts(pages)
  const glyphs = pages.flatMap(({ runs }) => runs.flatMap((run) => run.glyphs))
  return glyphs.filter(({ font }) => fonts.has(font)).length > glyphs.length / 2
}
