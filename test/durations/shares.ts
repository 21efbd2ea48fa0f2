/**
 * Keeps the suite within its time: the slow files take turns. Each run of `make test` has one of four shares of them, which the
 * commit chooses, so a run can be repeated. `TEST_SHARE=all make test` runs all of them.
 */
import { execFileSync } from 'node:child_process'

const SHARES = 4
/** Files that took at least this long take turns, in seconds. */
export const SLOW_S = 6
/** Files that are in every run: what a job can do to its host, and the workflows that users bring. */
const ALWAYS = ['test/escape/escape.test.ts', 'test/http/workflows.test.ts']

/** Durations by path. */
export type Seconds = Readonly<Record<string, number>>

/** Whether a file of this duration is in one share only. */
export const isInTurns = (path: string, seconds: number): boolean =>
  seconds >= SLOW_S && !ALWAYS.includes(path)

/** Divides the slow files into shares that take about the same time. */
export const divideFiles = (seconds: Seconds): readonly (readonly string[])[] => {
  const shares = Array.from({ length: SHARES }, () => ({ total: 0, files: [] as string[] }))
  const slow = Object.entries(seconds)
    .filter(([path, took]) => isInTurns(path, took))
    .sort(([a, tookA], [b, tookB]) => tookB - tookA || a.localeCompare(b))
  for (const [path, took] of slow) {
    const least = shares.reduce((one, other) => (other.total < one.total ? other : one))
    least.total += took
    least.files.push(path)
  }
  return shares.map(({ files }) => files)
}

const readCommit = (): string => execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })

/** The share of a commit, from 1. */
export const shareOf = (commit: string): number =>
  (Number.parseInt(commit.slice(0, 8), 16) % SHARES) + 1

/**
 * Reads the share that a run has.
 * @param wanted a number from 1, `commit` for the share of the commit, or `all`
 * @returns null for all
 * @throws {RangeError} `wanted` is none of them
 */
const readShare = (wanted: string): number | null => {
  if (wanted === 'all') return null
  const share = wanted === 'commit' ? shareOf(readCommit()) : Number(wanted)
  if (!(Number.isInteger(share) && share >= 1 && share <= SHARES)) {
    throw new RangeError(
      `TEST_SHARE is a number from 1 to ${SHARES}, commit or all, not ${wanted}.`,
    )
  }
  return share
}

/** Returns the files that a run leaves out. */
export const filesOutOfTurn = (wanted: string, seconds: Seconds): readonly string[] => {
  const share = readShare(wanted)
  if (share === null) return []
  return divideFiles(seconds).flatMap((files, index) => (index === share - 1 ? [] : files))
}

/** A sentence about what of the suite ran. */
export const describeShare = (wanted: string): string => {
  const share = readShare(wanted)
  return share === null
    ? 'All test files ran.'
    : `Of the slow test files, share ${share} of ${SHARES} ran. All of them: TEST_SHARE=all make test`
}
