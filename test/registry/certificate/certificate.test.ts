import { describe, expect, test } from 'vitest'
import { CASES, type CaseName } from './cases.ts'
import { corporateCertificate } from './corporate.ts'
import { type Certificate, generateCertificate } from './generate-certificate.ts'
import type { DrawnLine, DrawnText } from './grid.ts'
import { readBack } from './read-back.ts'
import { type EntryTruth, withoutBlanks } from './truth.ts'
import { certificatePdf } from './write-pdf.ts'

const SEEDS = 300
const documents = Array.from({ length: SEEDS }, (_, seed) => generateCertificate(seed))
const sections = documents.flatMap(({ truth }) => [truth.section_a ?? [], truth.section_b ?? []])
const entriesOf = ({ truth }: Certificate) => [
  ...(truth.section_a ?? []),
  ...(truth.section_b ?? []),
]
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

/** Or restored later. */
const isCancelledBy = (section: readonly EntryTruth[], target: string, by: string): boolean =>
  section
    .filter((entry) => entry.rank_number === target)
    .some(({ status }) => status.is_cancelled !== true || status.cancelled_by_rank === by)

/** Column by column, so that what wraps inside a cell stays together. */
const printOf = ({ drawn }: Certificate): string => {
  const columns = new Map<number, string[]>()
  for (const { text, bounds, left } of drawn.flatMap(({ texts }) => texts)) {
    const column = Math.round((bounds?.left ?? left) * 10)
    columns.set(column, [...(columns.get(column) ?? []), text])
  }
  return withoutBlanks([...columns.values()].map((texts) => texts.join('')).join('|'))
}
const isText = (value: string | null | undefined): value is string => typeof value === 'string'
/** Every text of an entry that is printed as it stands. */
const wordsOf = ({ purpose, sub_purposes, receipt, cause, content }: EntryTruth): string[] =>
  [
    ...(sub_purposes.length === 0 ? [purpose] : sub_purposes).map(({ raw }) => raw),
    receipt.number,
    cause?.text,
    ...(content.persons ?? []).flatMap(({ name, resident_number, address, share }) => [
      name,
      resident_number,
      address,
      share,
    ]),
    ...(content.amounts ?? []).map(({ raw }) => raw),
    ...(content.shares ?? []).map(({ raw }) => raw),
    ...Object.values(content.term ?? {}),
    content.lease?.lease_area,
    content.protected_right,
    content.prohibition_text,
    content.trade_list_number,
    content.collateral?.list_number,
    ...(content.collateral?.items ?? []).flatMap(({ location, reference }) => [
      location,
      reference,
    ]),
    ...content.notes_contain,
  ].filter(isText)

describe('the truth', () => {
  test('links every cancelled or changed entry to a row that is printed', () => {
    const missing = sections.flatMap((section) => {
      const ranks = new Set<string | null | undefined>(section.map((entry) => entry.rank_number))
      const named = section.flatMap(({ status }) => [
        ...(typeof status.cancelled_by_rank === 'string' ? [status.cancelled_by_rank] : []),
        ...status.modifications.map(({ by_rank }) => by_rank),
      ])
      return named.filter((rank) => !ranks.has(rank))
    })
    expect(missing).toEqual([])
  })

  test('names every target of a cancellation that is printed', () => {
    const wrong = sections.flatMap((section) => {
      const ranks = new Set(section.map((entry) => entry.rank_number))
      return section
        .filter(({ purpose }) => purpose.action_type === '말소')
        .flatMap(({ purpose, rank_number }) =>
          (purpose.target_rank?.split(',') ?? [])
            .filter((target) => ranks.has(target) && !isCancelledBy(section, target, rank_number))
            .map((target) => `${rank_number} of ${target}`),
        )
    })
    expect(wrong).toEqual([])
  })

  test('counts shares to one where owners share by whole numbers', () => {
    for (const entry of documents.flatMap(entriesOf)) {
      const shares = entry.content.shares ?? []
      if (shares.length < 2 || shares.some(({ numerator }) => numerator === null)) continue
      const sum = shares.reduce(
        (all, each) => all + (each.numerator ?? 0) / (each.denominator ?? 1),
        0,
      )
      expect(sum).toBeCloseTo(1, 9)
    }
  })

  test('says nothing that is not printed', () => {
    const missing = documents.flatMap((made) => {
      const print = printOf(made)
      return entriesOf(made)
        .flatMap(wordsOf)
        .filter((word) => !print.includes(withoutBlanks(word)))
        .map((word) => `${made.seed}: ${word}`)
    })
    expect(missing).toEqual([])
  })

  test('sums the final shares of the owners to one', () => {
    const sums = documents.flatMap(({ truth }) => {
      const shares = truth.major_summary?.owners.map(({ final_share }) => final_share ?? '') ?? []
      if (shares.length === 0) return []
      return shares.reduce((sum, share) => {
        const [denominator = 1, numerator = 1] = share.split('분의').map(Number)
        return sum + (share === '단독소유' ? 1 : numerator / denominator)
      }, 0)
    })
    for (const sum of sums) expect(sum).toBeCloseTo(1, 9)
  })

  test('says on which page an entry begins: its rank is printed there', () => {
    for (const { drawn, truth } of documents) {
      for (const entry of [...(truth.section_a ?? []), ...(truth.section_b ?? [])]) {
        const page = drawn[entry.page_no - 1]
        const ranks = page?.texts.filter((each) => each.bounds !== undefined && each.left < 75)
        expect(ranks?.map(({ text }) => text)).toContain(entry.rank_number)
      }
    }
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
