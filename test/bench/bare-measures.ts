/** The parts of a measure without svc: commits to a narrow table, pipes and HTTP. No goal can be above them on this machine. */
import type { Measure } from './measure.ts'

type Bare = readonly [id: string, title: string, unit: string, args: readonly string[]]

const BARE: readonly Bare[] = [
  ['S1', 'one row in each commit', 'jobs/s', ['enqueue']],
  ['S2', 'claims and ends of 500 rows in a commit', 'jobs/s', ['drain']],
  ['S5', 'HTTP, two commits, a message to a process and back, p50', 'ms', ['http', '2', '1']],
  ['S7', 'four commits and three messages in turn, p50', 'ms', ['chain', '4', '3']],
  ['S12 rate', 'HTTP, a message to a process and back, 32 at once', 'calls/s', ['http', '0', '32']],
  ['S16', 'five commits and three messages in turn, p50', 'ms', ['chain', '5', '3']],
]

export const BARE_MEASURES: readonly Measure[] = BARE.map(([of, title, unit, args]) => ({
  id: `${of} bare`,
  title: `Without svc: ${title}`,
  unit,
  better: unit === 'ms' ? 'lower' : 'higher',
  target: '–',
  isMet: () => true,
  ours: ['run-bare.ts', ...args],
  runs: 3,
}))
