/** Versions of releases (semver.org 2.0.0, without build metadata). */

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\dA-Za-z.-]+)?$/

const numbersOf = (version: string): readonly number[] => {
  const found = VERSION.exec(version)
  if (found === null) {
    throw new Error(
      `VERSION is not a version: "${version}". For example: make release VERSION=0.2.0`,
    )
  }
  return found.slice(1, 4).map(Number)
}

/** Returns whether `next` may follow `current`. Of two with equal numbers, the one without a suffix is the later. */
export const isLater = (next: string, current: string): boolean => {
  const before = numbersOf(current)
  const differences = numbersOf(next).map((number, index) => number - (before[index] ?? 0))
  const first = differences.find((difference) => difference !== 0)
  if (first !== undefined) return first > 0
  if (next.includes('-') === current.includes('-')) return next > current
  return current.includes('-')
}
