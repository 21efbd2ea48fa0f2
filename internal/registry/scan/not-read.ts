/** Reports text of a scan that OCR saw inside a table and could not read, such as text under a watermark [documents 13.9]. */
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

/** By how much an entry with such text is less certain. */
const COST = 0.3
/** A damaged scan may have hundreds of such places. */
const MOST_NAMED = 20

/** Points: less than the distance of two lines. The box of an entry surrounds only what was read, so a lost line is next to it. */
const REACH = 10

type Place = Readonly<{ page: number; y: number }>

const distanceOf = (
  { provenance: { page_no, bbox } }: RegistryEntry,
  { page, y }: Place,
): number => {
  const [, top = 0, , bottom = 0] = bbox ?? []
  return page === page_no ? Math.max(top - y, y - bottom, 0) : Number.POSITIVE_INFINITY
}

/** The entry in whose row the place is. Rows are as wide as the page. */
const entryAt = (entries: readonly RegistryEntry[], place: Place): RegistryEntry | undefined =>
  entries
    .filter((entry) => distanceOf(entry, place) < REACH)
    .toSorted((one, other) => distanceOf(one, place) - distanceOf(other, place))[0]

export const findNotRead = (
  pages: readonly PageContent[],
  entries: readonly RegistryEntry[],
): readonly Finding[] =>
  pages
    .flatMap(({ number, notRead = [] }) =>
      notRead.map(([left, top, right, bottom]) => {
        const entry = entryAt(entries, { page: number, y: (top + bottom) / 2 })
        const box = [left, top, right, bottom].map(Math.round).join(', ')
        const message = `OCR did not read the text of page ${number} at [${box}]. Compare it with the original.`
        return finding('TEXT_NOT_READ', message, entry?.entry_id ?? null)
      }),
    )
    .slice(0, MOST_NAMED)

/** Lowers the confidence of entries that such findings name. */
export const withDoubt = (
  entries: readonly RegistryEntry[],
  findings: readonly Finding[],
): RegistryEntry[] =>
  entries.map((entry) =>
    findings.some(({ entry_id }) => entry_id === entry.entry_id)
      ? { ...entry, confidence: Math.round((entry.confidence - COST) * 100) / 100 }
      : entry,
  )
