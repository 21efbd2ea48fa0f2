/** Returns the Levenshtein distance: how many letters to insert, delete or replace to turn one word into another. */
export const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Swapping two letters counts as two edits; if the first letter differs, only one edit is allowed. */
const isAlike = (typed: string, name: string): boolean =>
  Math.abs(typed.length - name.length) <= 2 &&
  editDistance(typed, name) <= (typed[0] === name[0] ? 2 : 1)

/** Words that are longer are no misspellings, and comparing them takes long. */
const LONGEST = 64

/** Returns the name that was probably meant, whatever its case; undefined if none is alike. */
export const nearestTo = (typed: string, names: readonly string[]): string | undefined => {
  if (typed.length > LONGEST) return undefined
  const lower = typed.toLowerCase()
  const distanceTo = (name: string): number => editDistance(lower, name.toLowerCase())
  return names
    .filter((name) => isAlike(lower, name.toLowerCase()))
    .toSorted((a, b) => distanceTo(a) - distanceTo(b))[0]
}
