/** The text that `make test` prints at its end about the time that it took. */
import type { DurationReport } from './report.ts'

const SHOWN = 10

export type Summary = Readonly<{ text: string; isLate: boolean }>

/** Formats seconds as `7 min 5 s`. */
const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

/** @param budgetS seconds that the suite may take; 0 for no limit */
export const describeDurations = (
  { files }: Pick<DurationReport, 'files'>,
  { totalS, budgetS }: Readonly<{ totalS: number; budgetS: number }>,
): Summary => {
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${path}`)
  const isLate = budgetS > 0 && totalS > budgetS
  const verdict = isLate
    ? `The suite took ${minutes(totalS)}, more than its budget of ${minutes(budgetS)}.`
    : `The suite took ${minutes(totalS)}.`
  return { text: `Slowest files:\n${lines.join('\n')}\n${verdict}\n`, isLate }
}
