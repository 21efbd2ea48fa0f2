/** Reports text of a scan that OCR saw inside a table and could not read, such as text under a watermark [documents 13.9]. */
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'
import type { RegistryEntry } from '../schema/entry.ts'

/** By how much an entry with such text is less certain. */
const COST = 0.3
/** A damaged scan may have hundreds of such places. */
const MOST_NAMED = 20

type Place = Readonly<{ page: number; x: number; y: number }>

const isIn = ({ provenance: { page_no, bbox } }: RegistryEntry, { page, x, y }: Place): boolean => {
  const [left = 0, top = 0, right = 0, bottom = 0] = bbox ?? []
  return page === page_no && x >= left && x <= right && y >= top && y <= bottom
}

export const findNotRead = (
  pages: readonly PageContent[],
  entries: readonly RegistryEntry[],
): readonly Finding[] =>
  pages
    .flatMap(({ number, notRead = [] }) =>
      notRead.map(([left, top, right, bottom]) => {
        const place = { page: number, x: (left + right) / 2, y: (top + bottom) / 2 }
        const entry = entries.find((one) => isIn(one, place))
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
