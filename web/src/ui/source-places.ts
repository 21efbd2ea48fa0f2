/** Finds places of source files in a text, in the format of stack traces: `at main (lib/a.ts:3:14)`. Pure. */

export type SourcePlace = Readonly<{ file: string; line: number }>

export type TextPart = Readonly<{ text: string; place: SourcePlace | null }>

const PLACE = /([\w@+./-]+\.[cm]?[jt]sx?):(\d{1,7})(?::\d+)?/g

export const sourcePlaces = (text: string): readonly TextPart[] => {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(PLACE)) {
    const [whole, file = '', line = '0'] = match
    if (match.index > from) parts.push({ text: text.slice(from, match.index), place: null })
    from = match.index + whole.length
    parts.push({ text: whole, place: { file, line: Number(line) } })
  }
  if (from < text.length) parts.push({ text: text.slice(from), place: null })
  return parts
}
