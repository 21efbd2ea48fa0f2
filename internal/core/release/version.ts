/** Versions of releases (semver.org 2.0.0, without build metadata). */

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.-]+)?$/

export const isVersion = (text: string): boolean => VERSION.test(text)

const numbersOf = (version: string): readonly number[] =>
  (VERSION.exec(version) ?? []).slice(1, 4).map(Number)

/**
 * Returns whether a version comes before another. Of two with the same numbers, the one with a suffix (`1.0.0-rc.1`) comes
 * first; two suffixes are compared as text.
 */
export const isOlder = (version: string, other: string): boolean => {
  const [mine, theirs] = [numbersOf(version), numbersOf(other)]
  const at = mine.findIndex((part, index) => part !== theirs[index])
  if (at !== -1) return (mine[at] ?? 0) < (theirs[at] ?? 0)
  if (version.includes('-') === other.includes('-')) return version < other
  return version.includes('-')
}
