/** The shortest difference between two texts by lines (Myers, “An O(ND) Difference Algorithm and Its Variations”, 1986). Pure. */
export type DiffLine = Readonly<{ kind: 'same' | 'added' | 'removed'; text: string }>

/** Beyond this, a difference is not readable, so the rest is shown as replaced. */
const MOST_STEPS = 1_000

/** How far each diagonal has advanced after a number of steps. */
type Frontier = ReadonlyMap<number, number>

const advance = (before: readonly string[], after: readonly string[]): readonly Frontier[] => {
  const trace: Frontier[] = []
  let reached = new Map<number, number>([[1, 0]])
  for (let step = 0; step <= Math.min(before.length + after.length, MOST_STEPS); step += 1) {
    const next = new Map(reached)
    for (let diagonal = -step; diagonal <= step; diagonal += 2) {
      let x = startOf(reached, diagonal, step)
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x += 1
      }
      next.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return [...trace, next]
    }
    trace.push(next)
    reached = next
  }
  return []
}

const isDown = (reached: Frontier, diagonal: number, step: number): boolean =>
  diagonal === -step ||
  (diagonal !== step && (reached.get(diagonal - 1) ?? 0) < (reached.get(diagonal + 1) ?? 0))

const startOf = (reached: Frontier, diagonal: number, step: number): number =>
  isDown(reached, diagonal, step)
    ? (reached.get(diagonal + 1) ?? 0)
    : (reached.get(diagonal - 1) ?? 0) + 1

const replaced = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => [
  ...before.map((text) => ({ kind: 'removed', text }) as const),
  ...after.map((text) => ({ kind: 'added', text }) as const),
]

type Point = Readonly<{ x: number; y: number }>

/** The point at which a step began, given the diagonal that it reached. */
const originOf = (reached: Frontier, diagonal: number, step: number) => {
  const down = isDown(reached, diagonal, step)
  const from = down ? diagonal + 1 : diagonal - 1
  const x = reached.get(from) ?? 0
  return { x, y: x - from, down }
}

export const diffLines = (
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] => {
  const trace = advance(before, after)
  if (trace.length === 0) return replaced(before, after)
  const lines: DiffLine[] = []
  /** Adds equal lines, backwards to where the step's own line ends. */
  const walkBack = (to: Point, end: Point): void => {
    for (let x = to.x; x > end.x && x - to.x + to.y > end.y; x -= 1) {
      lines.push({ kind: 'same', text: before[x - 1] ?? '' })
    }
  }
  let at: Point = { x: before.length, y: after.length }
  for (let step = trace.length - 1; step > 0; step -= 1) {
    const { x, y, down } = originOf(trace[step - 1] ?? new Map(), at.x - at.y, step)
    walkBack(at, down ? { x, y: y + 1 } : { x: x + 1, y })
    lines.push(
      down ? { kind: 'added', text: after[y] ?? '' } : { kind: 'removed', text: before[x] ?? '' },
    )
    at = { x, y }
  }
  walkBack(at, { x: 0, y: 0 })
  return lines.reverse()
}

export type Hunk = Readonly<{ skipped: number; lines: readonly DiffLine[] }>

/** The changes with a few lines around them. `skipped` is the number of equal lines before. */
export const toHunks = (lines: readonly DiffLine[], context = 3): readonly Hunk[] => {
  const shown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same'),
  )
  const hunks: { skipped: number; lines: DiffLine[] }[] = []
  let skipped = 0
  for (const [at, line] of lines.entries()) {
    if (shown[at] !== true) {
      skipped += 1
      continue
    }
    if (skipped > 0 || hunks.length === 0) hunks.push({ skipped, lines: [] })
    skipped = 0
    hunks.at(-1)?.lines.push(line)
  }
  return hunks
}

/** The first lines of the hunks, up to a number. */
export const firstLines = (hunks: readonly Hunk[], most: number): readonly Hunk[] => {
  let left = most
  return hunks.flatMap(({ skipped, lines }) => {
    const shown = lines.slice(0, left)
    left -= shown.length
    return shown.length === 0 ? [] : [{ skipped, lines: shown }]
  })
}

export type NumberedLine = DiffLine &
  Readonly<{
    /** Its number in the text before and after; null where the line does not exist. */
    before: number | null
    after: number | null
  }>

/** Adds the line numbers, from 1, to hunks. */
export const numberLines = (
  hunks: readonly Hunk[],
): readonly Readonly<{ skipped: number; lines: readonly NumberedLine[] }>[] => {
  let [before, after] = [0, 0]
  return hunks.map(({ skipped, lines }) => {
    before += skipped
    after += skipped
    const numbered = lines.map((line) => {
      if (line.kind !== 'added') before += 1
      if (line.kind !== 'removed') after += 1
      return {
        ...line,
        before: line.kind === 'added' ? null : before,
        after: line.kind === 'removed' ? null : after,
      }
    })
    return { skipped, lines: numbered }
  })
}
