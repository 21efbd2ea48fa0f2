/** The time of parsing grows with the length of a text, not with its square, whatever a hostile file writes into a cell. */
import { expect, it } from 'vitest'
import { withFullDates } from '#registry/fields/date.ts'
import { parseRegistry } from '#registry/parse-registry.ts'
import { cutStrikes } from '#registry/reader/cut-strikes.ts'
import { readLines } from '#registry/reader/text-line.ts'
import { leastCpuMs } from '../support/cpu-time.ts'
import { generateCertificate } from './fixtures/certificate/generate-certificate.ts'

const LENGTH = 20_000
/** A search with a cost of the square takes 400 to 2,000 ms for such a text, and the certificate alone 20 ms. */
const MOST_MS = 250

const { pages: certificate } = generateCertificate(12)

const read = (source: typeof certificate): number =>
  leastCpuMs(MOST_MS, () => parseRegistry(source, { parsedAt: '', documentId: null }))

/** Replaces the first text of the certificate that matches. */
const withText = (place: RegExp, text: string): typeof certificate => {
  const found = certificate.pages
    .flatMap(({ texts }) => texts)
    .find((each) => place.test(each.text))
  if (found === undefined) throw new Error(`No text matches ${place}.`)
  const pages = certificate.pages.map((page) => ({
    ...page,
    texts: page.texts.map((each) => (each === found ? { ...each, text } : each)),
  }))
  return { ...certificate, pages }
}

const PLACES = {
  area: /층 [\d.]+㎡/,
  ratio: /분의 /,
  share: /단독소유/,
  office: /등기소/,
  purpose: /소유권/,
  heads: /소유지분을/,
  holder: /소유자/,
} as const

it.each([
  ['digits', `가${'1'.repeat(LENGTH)}`],
  ['digits and commas', `금${'1,'.repeat(LENGTH / 2)}`],
  ['blanks', `관할등기소${' '.repeat(LENGTH)}x`],
  ['words', '지분 '.repeat(LENGTH / 3)],
  ['letters', '지'.repeat(LENGTH)],
  ['holders', '가온 700101-1******  가온시  '.repeat(LENGTH / 28)],
  ['names', '가온  가온시  '.repeat(LENGTH / 10)],
  ['amounts', '금1원  '.repeat(LENGTH / 5)],
])('a text of many %s is read in linear time in every cell', (_, text) => {
  read(certificate)
  const slow = Object.entries(PLACES)
    .map(([place, pattern]) => [place, Math.round(read(withText(pattern, text)))] as const)
    .filter(([, ms]) => ms > MOST_MS)
  expect(slow).toEqual([])
})

it('a text of many dates is written in linear time', () => {
  // the letter makes V8 search for 년 too; a cost of the square takes 2,500 ms
  const write = () => withFullDates('가2020.1.1 '.repeat(8_000))
  expect(leastCpuMs(MOST_MS, write)).toBeLessThan(MOST_MS)
  expect(write()).toBe('가2020년 01월 01일 '.repeat(8_000))
})

it('thousands of lines and texts on a page are compared only at the same height', () => {
  const count = 16_000
  const heights = Array.from({ length: count }, (_, at) => 160 + (at * 400) / count)
  const texts = heights.map((baseline, at) => {
    const left = 360 + (at % 20) * 10
    return { text: '가나', left, right: left + 8, baseline, size: 10 }
  })
  const lines = heights.map((y) => ({ left: 345, right: 500, y, isRed: true }))
  // a comparison of each text with each line takes 1,550 ms
  const most = 900
  const read = () => readLines({ number: 1, width: 595, height: 842, texts, lines })
  expect(leastCpuMs(most, read)).toBeLessThan(most)
  expect(read().at(-1)?.pieces[0]?.isStruck).toBe(true)
})

it('thousands of long red lines make few strikes of few texts', () => {
  const lines = Array.from({ length: 3_300 }, (_, at) => ({
    left: 5,
    right: 590,
    y: at / 4,
    isRed: true,
  }))
  const page = (size: number) => ({
    number: 1,
    width: 595,
    height: 842,
    texts: Array.from({ length: 16_000 }, (_, at) => ({
      text: '가',
      left: 10 + (at % 50) * 10,
      right: 18 + (at % 50) * 10,
      baseline: at / 20,
      size,
    })),
    lines,
  })
  const most = 500
  // each text with each line takes 2,000 ms
  expect(leastCpuMs(most, () => cutStrikes(page(10)))).toBeLessThan(most)
  expect(cutStrikes(page(10)).lines.length).toBeLessThan(20_000)
  // a line strikes no watermark; a strike by each line would take gigabytes
  expect(cutStrikes(page(2_000)).lines).toHaveLength(3_300)
})
