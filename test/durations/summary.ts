/** The text that `make test` prints at its end about the time that it took. */
import type { DurationReport } from './report.ts'
import { isInTurns, type Seconds } from './shares.ts'

const SHOWN = 10

export type Summary = Readonly<{ text: string; isLate: boolean }>

/** Formats seconds as `7 min 5 s`. */
const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

/**
 * Says how many slow files are in every run because no duration is recorded that lets them take turns. They took twice as long as
 * that, so that no busy machine brings them about.
 */
const describeUnrecorded = (
  files: DurationReport['files'],
  recorded: Seconds,
): readonly string[] => {
  const unrecorded = files.filter(
    ({ path, seconds }) => isInTurns(path, seconds / 2) && !isInTurns(path, recorded[path] ?? 0),
  )
  return unrecorded.length === 0
    ? []
    : [
        `${unrecorded.length} slow files do not take turns yet. Record a run of all files on a quiet machine:`,
        '  TEST_SHARE=all make test && node test/durations/main.ts --record',
      ]
}

type Run = Readonly<{
  totalS: number
  /** Seconds that the suite may take; 0 for no limit. */
  budgetS: number
  /** The recorded durations. */
  recorded: Seconds
}>

export const describeDurations = (
  { files }: Pick<DurationReport, 'files'>,
  { totalS, budgetS, recorded }: Run,
): Summary => {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`)
  const isLate = budgetS > 0 && totalS > budgetS
  const verdict = isLate
    ? `The suite took ${minutes(totalS)}, more than its budget of ${minutes(budgetS)}.`
    : `The suite took ${minutes(totalS)}.`
  const text = ['Slowest files:', ...lines, ...describeUnrecorded(files, recorded), verdict, '']
  return { text: text.join('\n'), isLate }
}
