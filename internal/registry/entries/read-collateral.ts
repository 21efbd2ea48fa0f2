/** Reads properties that an entry lists as collateral in its own rights column. */
import type { CollateralItem } from '../schema/entry.ts'
import { type CellLine, joinLines } from '../tables/cell-text.ts'
import { type CellFrame, type FieldLine, textOfSegments } from './field-line.ts'

const PROPERTY = /^\[?(토지|건물|집합건물|구분건물|아파트)(?:\]\s*|\s+)/
const ADDITION =
  /(?:의\s*)?((?:순\s?위\s*제?\s*\d+(?:-\d+)*\s*번\s*)?의?\s*담\s?보\s?물\s?에\s*추\s?가)\s*$/

/**
 * The properties that an entry lists itself, one after the other, such as `공동담보  토지 가람북도 … 113-2`.
 * @returns `isWhole` false if the list begins with text that names no kind of property, or is a part of a sentence
 */
export const readCollateralItems = (
  lines: readonly FieldLine[],
  frame: CellFrame,
): Readonly<{ items: readonly CollateralItem[]; isWhole: boolean }> => {
  let isWhole = true
  const items: { kind: string; lines: CellLine[] }[] = []
  for (const line of lines) {
    const text = textOfSegments(line.values)
    const kind = PROPERTY.exec(text)?.[1]
    if (kind !== undefined) items.push({ kind, lines: [line.source] })
    else if (items.length > 0) items.at(-1)?.lines.push(line.source)
    else if (text !== '') isWhole = false
  }
  const read = items.map((item) => toItem(item.kind, joinLines(item.lines, frame.right)))
  return { items: read, isWhole: isWhole && !read.some(({ location }) => SENTENCE.test(location)) }
}

/** A sentence about the property, which may say that it is released: `건물 … 113-2의 근저당권설정등기가 포기로 인하여 말소됨`. */
const SENTENCE = /의(?:$|\s+\S{0,10}(?:저당권|전세권|등기|담보))|말소|소멸/

const toItem = (kind: string, joined: string): CollateralItem => {
  const text = joined.replace(/^.*?(토지|집합건물|구분건물|건물|아파트)(?:\]\s*|\s+)/, '').trim()
  const addition = ADDITION.exec(text)
  const location = addition === null ? text : text.slice(0, addition.index).trim()
  return {
    property_type: kind,
    location,
    area: null,
    type: addition === null ? 'listed' : 'addition',
    reference: addition === null ? null : text.slice(addition.index).trim(),
  }
}
