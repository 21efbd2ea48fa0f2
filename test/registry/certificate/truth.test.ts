import { expect, test } from 'vitest'
import { type Certificate, generateCertificate } from './generate-certificate.ts'
import { type EntryTruth, withoutBlanks } from './truth.ts'

const documents = Array.from({ length: 300 }, (_, seed) => generateCertificate(seed))
const sections = documents.flatMap(({ truth }) => [truth.section_a ?? [], truth.section_b ?? []])
const entriesOf = ({ truth }: Certificate) => [
  ...(truth.section_a ?? []),
  ...(truth.section_b ?? []),
]

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

test('the truth links every cancelled or changed entry to a row that is printed', () => {
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

test('the truth names every target of a cancellation that is printed', () => {
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

test('the truth counts shares to one where owners share by whole numbers', () => {
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

test('the truth says nothing that is not printed', () => {
  const missing = documents.flatMap((made) => {
    const print = printOf(made)
    return entriesOf(made)
      .flatMap(wordsOf)
      .filter((word) => !print.includes(withoutBlanks(word)))
      .map((word) => `${made.seed}: ${word}`)
  })
  expect(missing).toEqual([])
})

test('the truth sums the final shares of the owners to one', () => {
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

test('the truth says on which page an entry begins: its rank is printed there', () => {
  for (const { drawn, truth } of documents) {
    for (const entry of [...(truth.section_a ?? []), ...(truth.section_b ?? [])]) {
      const page = drawn[entry.page_no - 1]
      const ranks = page?.texts.filter((each) => each.bounds !== undefined && each.left < 75)
      expect(ranks?.map(({ text }) => text)).toContain(entry.rank_number)
    }
  }
})
