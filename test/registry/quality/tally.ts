/** Right, invented and missed values of one group of fields. A value that is read wrongly counts as invented and as missed. */
export type Counts = { right: number; invented: number; missed: number }

export type Miss = {
  readonly group: string
  readonly path: string
  readonly wanted: unknown
  readonly found: unknown
}

/** Counts by group of fields, and the list of what was wrong. */
export type Tally = { readonly groups: Map<string, Counts>; readonly misses: Miss[] }

export function newTally(): Tally {
  return { groups: new Map(), misses: [] }
}

function countsOf(tally: Tally, group: string): Counts {
  const known = tally.groups.get(group)
  if (known !== undefined) return known
  const fresh = { right: 0, invented: 0, missed: 0 }
  tally.groups.set(group, fresh)
  return fresh
}

/** Blanks at the ends of lines cannot be known from the print, so texts are compared without blanks. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'string' && typeof found === 'string') {
    return wanted.replace(/\s/g, '') === found.replace(/\s/g, '')
  }
  return wanted === found
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function compareLeaf(tally: Tally, miss: Miss): void {
  const { wanted, found, group } = miss
  const counts = countsOf(tally, group)
  if (isNothing(wanted) && isNothing(found)) return
  if (isSame(wanted, found)) {
    counts.right += 1
    return
  }
  if (!isNothing(wanted)) counts.missed += 1
  if (!isNothing(found)) counts.invented += 1
  tally.misses.push(miss)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Compares every value that the truth contains. What it leaves out is open. */
export function compare(
  tally: Tally,
  place: { group: string; path: string },
  wanted: unknown,
  found: unknown,
): void {
  const { group, path } = place
  if (Array.isArray(wanted)) {
    const list: readonly unknown[] = Array.isArray(found) ? found : []
    for (const [index, item] of wanted.entries()) {
      compare(tally, { group, path: `${path}[${index}]` }, item, list[index])
    }
    for (const [index, item] of list.entries()) {
      if (index >= wanted.length)
        compareLeaf(tally, { group, path: `${path}[${index}]`, wanted: null, found: item })
    }
    return
  }
  if (!isRecord(wanted)) {
    compareLeaf(tally, { group, path, wanted, found })
    return
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue
    compare(
      tally,
      { group, path: `${path}.${key}` },
      value,
      isRecord(found) ? found[key] : undefined,
    )
  }
}

/** Precision, recall and their harmonic mean, 0 to 1; 1 where there was nothing to find. */
export function scores(counts: Counts): { precision: number; recall: number; f1: number } {
  const { right, invented, missed } = counts
  const precision = right + invented === 0 ? 1 : right / (right + invented)
  const recall = right + missed === 0 ? 1 : right / (right + missed)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}

export const totalOf = (counts: readonly Counts[]): Counts =>
  counts.reduce(
    (sum, { right, invented, missed }) => ({
      right: sum.right + right,
      invented: sum.invented + invented,
      missed: sum.missed + missed,
    }),
    { right: 0, invented: 0, missed: 0 },
  )

/** @param place prefix for the paths of what was missed */
export function addTally(tally: Tally, other: Tally, place: string): void {
  for (const [group, counts] of other.groups) {
    tally.groups.set(group, totalOf([countsOf(tally, group), counts]))
  }
  for (const miss of other.misses) tally.misses.push({ ...miss, path: `${place}${miss.path}` })
}
