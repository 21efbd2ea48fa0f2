/** Some tests have a short form, which keeps the suite within its time budget, and a long form for `make test-long`. */
import process from 'node:process'

export const isLong = process.env.TEST_RUNS === 'long'

/** The number of runs of a property. */
export const runs = ({ short, long }: Readonly<{ short: number; long: number }>): number =>
  isLong ? long : short
