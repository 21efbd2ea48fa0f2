import { describe, expect, test } from 'vitest'
import { CASES, type CaseName } from './cases.ts'
import { corporateCertificate } from './corporate.ts'
import { generateCertificate } from './generate-certificate.ts'
import type { DrawnLine, DrawnText } from './grid.ts'
import { readBack } from './read-back.ts'
import { withoutBlanks } from './truth.ts'
import { certificatePdf } from './write-pdf.ts'

const SEEDS = 300
const documents = Array.from({ length: SEEDS }, (_, seed) => generateCertificate(seed))
/** The watermark lies behind the text. */
const isWatermark = ({ size }: DrawnText): boolean => size >= 30

test('the same seed makes the same certificate', () => {
  const made = generateCertificate(17)
  const again = generateCertificate(17)
  expect(again.pages).toEqual(made.pages)
  expect(again.truth).toEqual(made.truth)
  expect(generateCertificate(18).pages).not.toEqual(made.pages)
})

/** The inset of the summary differs from that of the body by a twentieth of a point. */
const isOutside = ({ left, right, bounds = { left: 20, right: 578 } }: DrawnText): boolean =>
  left < bounds.left - 0.1 || right > bounds.right + 0.1
const isOn = (one: DrawnText, other: DrawnText): boolean =>
  Math.abs(other.baseline - one.baseline) < 6 &&
  other.left < one.right - 0.01 &&
  one.left < other.right - 0.01

test('no text leaves its column, and none lies on another', () => {
  const pages = documents.flatMap(({ seed, drawn }) => drawn.map((page) => ({ seed, page })))
  const faults = pages.flatMap(({ seed, page }) => {
    const texts = page.texts.filter((each) => !isWatermark(each))
    const outside = texts.filter(isOutside)
    const hidden = texts.filter((each, index) =>
      texts.slice(index + 1).some((other) => isOn(each, other)),
    )
    return [...outside, ...hidden].map(({ text }) => `${seed} p${page.number}: ${text}`)
  })
  expect(faults).toEqual([])
})

const isStruckBy = (text: DrawnText, line: DrawnLine): boolean =>
  Math.abs(text.baseline + 3.09 - line.y) < 0.3 &&
  text.left >= line.left - 0.01 &&
  text.right <= line.right + 0.01

test('every strike lies on text, and no rule lies among the notes', () => {
  const pages = documents.flatMap(({ seed, drawn }) => drawn.map((page) => ({ seed, page })))
  const faults = pages.flatMap(({ seed, page }) =>
    page.lines
      .filter((line) =>
        line.kind === 'rule' ? line.y < 60 : !page.texts.some((text) => isStruckBy(text, line)),
      )
      .map((line) => `${seed} p${page.number}: ${line.kind} at ${line.left}, ${line.y}`),
  )
  expect(faults).toEqual([])
})

test('every hard case comes up often enough to be tried', () => {
  const counts = new Map<CaseName, number>(CASES.map((name) => [name, 0]))
  for (const { cases } of documents) {
    for (const name of cases) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count < 6)).toEqual([])
})

test('every kind of property and of copy comes up', () => {
  const seen = new Set(documents.map(({ truth }) => truth.profile.property_type))
  expect(seen.size).toBe(3)
  expect(new Set(documents.map(({ style }) => style.copy)).size).toBe(5)
  expect(new Set(documents.map(({ truth }) => truth.profile.layout_profile)).size).toBe(3)
})

describe('a wish', () => {
  test('for any one case is fulfilled', () => {
    for (const name of CASES)
      expect(generateCertificate(5, { cases: [name] }).cases.has(name)).toBe(true)
  })

  test('for kind and length is fulfilled', () => {
    const made = generateCertificate(3, { propertyType: 'land', pages: 15 })
    expect(made.truth.profile.property_type).toBe('land')
    expect(made.drawn.length).toBeGreaterThanOrEqual(15)
  })
})

test('a written file reads back as it was drawn', async () => {
  const wishes: readonly CaseName[][] = [
    ['cancelled_entry', 'strike_before_text', 'bar_code'],
    ['summary_pages', 'strike_as_rectangle', 'rules_as_rectangles'],
    ['issue_copy', 'scaled_page', 'monochrome'],
  ]
  for (const cases of wishes) {
    const made = generateCertificate(11, { cases })
    const read = await readBack(await certificatePdf(made))
    expect(read).toHaveLength(made.pages.pages.length)
    for (const [index, page] of made.pages.pages.entries()) {
      const { texts = [], lines = [] } = read[index] ?? {}
      expect(texts.map(({ text }) => text)).toEqual(page.texts.map(({ text }) => text))
      for (const [at, { left, right, baseline, size }] of page.texts.entries()) {
        expect(texts[at]?.left).toBeCloseTo(left, 1)
        expect(texts[at]?.right).toBeCloseTo(right, 1)
        expect(texts[at]?.baseline).toBeCloseTo(baseline, 1)
        expect(texts[at]?.size).toBeCloseTo(size, 1)
      }
      const place = (line: { left: number; right: number; y: number }): string =>
        [line.left, line.right, line.y].map((value) => Math.round(value * 5)).join(' ')
      const readRed = lines
        .filter(({ colour }) => colour === '#ff0000')
        .map(place)
        .sort()
      expect(readRed).toEqual(
        page.lines
          .filter(({ isRed }) => isRed)
          .map(place)
          .sort(),
      )
      expect(lines).toHaveLength(page.lines.length)
    }
  }
})

test('a certificate of a company has the words of a registry and no property', () => {
  const [page] = corporateCertificate().pages.pages
  const print = withoutBlanks(page?.texts.map(({ text }) => text).join('') ?? '')
  expect(print).toContain('등기사항전부증명서(현재유효사항)')
  expect(print).not.toMatch(/\[(토지|건물|집합건물)\]|표제부|고유번호/)
})
