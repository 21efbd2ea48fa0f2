/** Measures how similar a text read by OCR is to a known printed text. */

/**
 * The fewest changes that turn some part of `text` into `pattern`.
 * @returns 0 if the text contains the pattern
 */
export const distanceWithin = (pattern: string, text: string): number => {
  const signs = [...pattern]
  // text before the part costs nothing
  let row: readonly number[] = Array.from({ length: text.length + 1 }, () => 0)
  for (const [index, sign] of signs.entries()) {
    const next = [index + 1]
    for (let at = 1; at <= text.length; at += 1) {
      const same = (row[at - 1] ?? 0) + (text[at - 1] === sign ? 0 : 1)
      next.push(Math.min(same, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return Math.min(...row)
}

/** The fewest changes that turn one text into the other. */
const distance = (one: string, other: string): number => {
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let index = 1; index <= one.length; index += 1) {
    const next = [index]
    for (let at = 1; at <= other.length; at += 1) {
      const same = (row[at - 1] ?? 0) + (other[at - 1] === one[index - 1] ? 0 : 1)
      next.push(Math.min(same, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** The most similar of the known texts, if it is similar enough. @param share of its characters that may differ */
export const nearest = (text: string, known: readonly string[], share: number): string | null => {
  let best: Readonly<{ text: string; away: number }> | null = null
  for (const candidate of known) {
    if (Math.abs(candidate.length - text.length) > candidate.length * share) continue
    const away = distance(text, candidate) / candidate.length
    if (away <= share && (best === null || away < best.away)) best = { text: candidate, away }
  }
  return best?.text ?? null
}
