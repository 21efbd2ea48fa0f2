/** `make simulate`: prints how 1,000 workers and 100 cells behave in several situations, and where their limits are. SEED=19 */
import process from 'node:process'
import { PLAIN, type Setting } from './model.ts'
import { type Figures, simulate } from './simulate.ts'

const seed = Number(process.env.SEED ?? PLAIN.seed)
const make = (name: string, change: Partial<Setting>): Setting => ({
  ...PLAIN,
  seed,
  name,
  ...change,
})

const LOST = { fromMs: 4_000, untilMs: 10_000 }

const HAPPENINGS: readonly Setting[] = [
  make('all is well', {}),
  make('1 % of hints lost', { hintLoss: 0.01 }),
  make('20 % of hints lost', { hintLoss: 0.2 }),
  make('one cell lost for 6 s', { lostCell: LOST }),
  make('a tenant with 4,000 jobs/s in one cell', { hotJobsPerS: 4_000 }),
  make('all of that', { hintLoss: 0.01, lostCell: LOST, hotJobsPerS: 4_000 }),
]
const BENDS: readonly Setting[] = [
  ...[1.5, 1.8, 1.95, 2.1].map((million) =>
    make(`${million} M jobs/min`, { jobsPerMinute: million * 1_000_000, forMs: 4_000 }),
  ),
  ...[40, 20, 10].map((cells) =>
    make(`${cells} cells`, { cells, cellsOfWorker: Math.min(10, cells), forMs: 4_000 }),
  ),
  make('each worker in all 100 cells', { cellsOfWorker: 100, forMs: 4_000 }),
  make('10 jobs/s in each cell, 20 % of hints lost', {
    jobsPerMinute: 60_000,
    hintLoss: 0.2,
    forMs: 60_000,
  }),
]

const ms = (value: number): string =>
  value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
const rate = (value: number): string => Math.round(value).toLocaleString('en')
const percent = (share: number): string => `${Math.round(share * 100)} %`

const COLUMNS: readonly (readonly [title: string, show: (figures: Figures) => string])[] = [
  ['wait p50 / p99 / most, ms', ({ wait }) => [wait.p50, wait.p99, wait.most].map(ms).join(' / ')],
  ['p99 next to it, ms', ({ neighbourWaitP99: wait }) => (wait === 0 ? '–' : ms(wait))],
  ['enqueue p99, ms', ({ enqueueP99 }) => ms(enqueueP99)],
  ['writer, mean / busiest', ({ writer }) => `${percent(writer.mean)} / ${percent(writer.most)}`],
  ['slots busy', ({ busySlots }) => percent(busySlots)],
  ['hints/s', ({ hints }) => rate(hints)],
  ['changes/s at each server', ({ changesAtServer }) => rate(changesAtServer)],
  ['streams of a cell', ({ streamsOfCell }) => rate(streamsOfCell)],
]

const print = (settings: readonly Setting[]): void => {
  process.stdout.write(`| | ${COLUMNS.map(([title]) => title).join(' | ')} |\n`)
  process.stdout.write(`|${'---|'.repeat(COLUMNS.length + 1)}\n`)
  for (const setting of settings) {
    const figures = simulate(setting)
    const cells = COLUMNS.map(([, show]) => show(figures))
    process.stdout.write(`| ${setting.name} | ${cells.join(' | ')} |\n`)
  }
}

print(HAPPENINGS)
process.stdout.write('\n')
print(BENDS)
const { directoryCold, directoryMost, pollsOfCell } = simulate(make('', { forMs: 4_000 }))
process.stdout.write(
  `\ndirectory: ${rate(directoryCold)} reads in the first second of ${PLAIN.servers} servers that start at once, then at most ${rate(directoryMost)}/s; polls of a cell: ${pollsOfCell.toFixed(1)}/s\n`,
)
