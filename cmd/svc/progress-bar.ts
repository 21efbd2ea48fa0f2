/** Draws a progress bar on standard error during long work; draws nothing if that is not a terminal. */
import { progressColumns, showProgress } from './print.ts'

const WIDTH = 30
const BRACKETS = '[]  '.length

/** @returns the bar as text, for example `[#####     ]  500/1,000`; shorter where it would not fit into the columns */
export const barText = (done: number, total: number, columns = 80): string => {
  const count = `${done.toLocaleString('en-US')}/${total.toLocaleString('en-US')}`
  const width = Math.max(0, Math.min(WIDTH, columns - count.length - BRACKETS))
  const filled = total === 0 ? width : Math.round((Math.min(done, total) / total) * width)
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}]  ${count}`
}

/** @returns the progress that a job reports, for example `40 %  4 of 10` */
export const progressText = ({
  fraction,
  note,
}: Readonly<{ fraction: number; note?: string | null | undefined }>): string =>
  `${Math.round(fraction * 100)} %  ${note ?? ''}`.trimEnd()

export const showBar = (done: number, total: number): void =>
  showProgress(barText(done, total, progressColumns()))
