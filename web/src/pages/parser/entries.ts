/** The entries of a parsed certificate, and their positions on the pages. Pure. */
import type { Schemas } from '#sdk/client.ts'
import type { Json } from '#sdk/mod.ts'

export type Parsed = Schemas['ParserResponse']
export type RegistryEntry = Parsed['data']['section_a'][number]

/** In points, from the top left corner of the page. */
export type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>

/** A4, used if the size of a page is not known. */
export const A4: PageSize = { width: 595, height: 842 }
export type PageSize = Readonly<{ width: number; height: number }>

export type Mark = Readonly<{
  id: string
  page: number
  box: Box
  isStruck: boolean
  label: string
}>

/** The page of an entry id: `gap:p3:r1` is on page 3. Null if the id names no page. */
export const pageOf = (entryId: string): number | null => {
  const found = /:p(\d+):r\d+$/.exec(entryId)?.[1]
  return found === undefined ? null : Number(found)
}

const toBox = (bbox: readonly number[] | null): Box | null => {
  const [left, top, right, bottom] = bbox ?? []
  return left === undefined || top === undefined || right === undefined || bottom === undefined
    ? null
    : { left, top, right, bottom }
}

/** The purpose as printed. An annotation prints none, so its type is shown. */
export const purposeOf = ({ purpose }: RegistryEntry): string =>
  purpose.raw.replaceAll(/\s+/g, ' ') || purpose.right_type

/** The boxes of the response, each with its entry. */
export const marksOf = ({ data }: Parsed): readonly Mark[] =>
  [...data.section_a, ...data.section_b].flatMap((entry) => {
    const { entry_id: id, rank_number, provenance, status } = entry
    const box = toBox(provenance.bbox)
    if (box === null) return []
    return [
      {
        id,
        page: provenance.page_no,
        box,
        isStruck: provenance.is_visual_cancelled || status.is_cancelled,
        label: `${rank_number} ${purposeOf(entry)}`.trim(),
      },
    ]
  })

export type Unread = Readonly<{ page: number; box: Box; text: string }>

/** Text on the pages that belongs to no field. */
export const unreadOf = ({ data }: Pick<Parsed, 'data'>): readonly Unread[] =>
  data.diagnostics.unread.flatMap(({ page, box: bbox, text }) => {
    const box = toBox(bbox)
    return box === null ? [] : [{ page, box, text }]
  })

/** The first page with an entry, to open initially. Page 1 if there is no entry. */
export const firstPage = (marks: readonly Mark[]): number =>
  marks.reduce((first, { page }) => Math.min(first, page), marks[0]?.page ?? 1)

/** The position in percent of the page, for style sheets. */
export const placeOf = ({ left, top, right, bottom }: Box, { width, height }: PageSize) => ({
  left: `${(left / width) * 100}%`,
  top: `${(top / height) * 100}%`,
  width: `${((right - left) / width) * 100}%`,
  height: `${((bottom - top) / height) * 100}%`,
})

type Title = Parsed['data']['title']

/** The single values of the title, and its lists. */
export const titleParts = (title: Title) => {
  const values: (readonly [name: string, value: string])[] = []
  const lists: (readonly [name: string, rows: readonly unknown[]])[] = []
  for (const [name, value] of Object.entries(title)) {
    if (typeof value === 'object' && value !== null) {
      if (value.length > 0) lists.push([name, value])
    } else if (value !== null) values.push([name, String(value)])
  }
  return { values, lists }
}

/** The value as received. Its type has only the fields that are always present. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))
