/** Draws a progress bar on standard error during long work; draws nothing if that is not a terminal. */
import { showProgress } from './print.ts'

const WIDTH = 30

/** @returns the bar as text, for example `[#####     ]  500/1,000` */
export const barText = (done: number, total: number): string => {
  const filled = total === 0 ? WIDTH : Math.round((Math.min(done, total) / total) * WIDTH)
  const bar = `${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}`
  return `[${bar}]  ${done.toLocaleString('en-US')}/${total.toLocaleString('en-US')}`
}

/** @returns the progress that a job reports, for example `40 %  4 of 10` */
export const progressText = ({
  fraction,
  note,
}: Readonly<{ fraction: number; note?: string | null | undefined }>): string =>
  `${Math.round(fraction * 100)} %  ${note ?? ''}`.trimEnd()

export const showBar = (done: number, total: number): void => showProgress(barText(done, total))
