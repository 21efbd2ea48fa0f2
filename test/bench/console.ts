/**
 * `make bench-console`: measures how fast the console is on a node with 100,000 jobs, in a real browser on this machine.
 * Writes test/bench/benchmarks-console.md, which `make bench` includes, and the same section in docs/benchmarks.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { v7 } from 'uuid'
import { openDatabase } from '#store/open-database.ts'
import { buildConsole } from '../../cmd/build/build-console.ts'
import { openTour, type Tour } from '../console/browser.ts'
import { ADMIN, type ConsoleNode, SAMPLE_APP, startConsoleNode } from '../console/console-node.ts'
import {
  type FirstView,
  INTERACTIONS,
  measureFirstView,
  measureInteraction,
} from './console-page.ts'
import { fillHistory } from './fill.ts'
import { describeMachine } from './machine.ts'
import { figure } from './report.ts'
import { median } from './statistics.ts'
import { BINARY } from './svc-node.ts'

const JOBS = 100_000
/** One in ten has failed. */
const FAILED = 10_000
const VIEWS = 9
const TIMES = 9
const MOST_VIEW_MS = 1_000
const MOST_DEED_MS = 200

const FRAGMENT = join(import.meta.dirname, 'benchmarks-console.md')
const DOCS = resolve(import.meta.dirname, '../../docs/benchmarks.md')

const say = (text: string): void => void process.stderr.write(`${text}\n`)

const fill = async (node: ConsoleNode): Promise<void> => {
  await node.deploy(SAMPLE_APP)
  // the newest jobs have not failed, so that a filter by failures shows other rows
  const models = [
    [await node.runToEnd('fail', {}), FAILED],
    [await node.runToEnd('greet', { name: 'Ada' }), JOBS - FAILED],
  ] as const
  await node.pause()
  const db = await openDatabase({ url: node.databaseUrl })
  for (const [model, count] of models) await fillHistory({ db, newId: () => v7() }, model, count)
  await db.close()
  await node.restart()
}

type Timed = Readonly<{ name: string; ms: readonly number[] }>

const measureInteractions = async (tour: Tour): Promise<readonly Timed[]> => {
  const timed: Timed[] = []
  for (const interaction of INTERACTIONS) {
    const { page, close } = await tour.visit('light', ADMIN)
    const ms: number[] = []
    // once without measuring, so that the code of the page is loaded as during normal use
    await measureInteraction(page, interaction)
    for (let time = 0; time < TIMES; time += 1) ms.push(await measureInteraction(page, interaction))
    await close()
    timed.push({ name: interaction.name, ms })
    say(`${interaction.name}: ${ms.map(Math.round).join(' ')} ms`)
  }
  return timed
}

const measureViews = async (tour: Tour): Promise<readonly FirstView[]> => {
  const views: FirstView[] = []
  for (let time = 0; time < VIEWS; time += 1) {
    const { page, close } = await tour.visit('light', ADMIN)
    views.push(await measureFirstView(page))
    await close()
  }
  say(`First view: ${views.map(({ ms }) => Math.round(ms)).join(' ')} ms`)
  return views
}

const row = (name: string, ms: readonly number[], most: number): string => {
  const middle = median(ms)
  const verdict = middle < most ? 'met' : 'missed'
  return `| ${name} | ${figure(middle)} | ${figure(Math.max(...ms))} | < ${most.toLocaleString('en-US')} | ${verdict} |`
}

type Results = Readonly<{
  builtBytes: number
  views: readonly FirstView[]
  timed: readonly Timed[]
  load: readonly number[]
}>

const toSection = ({ builtBytes, views, timed, load }: Results): string => {
  const { cpu, cores } = describeMachine()
  const kb = (bytes: number): string => figure(bytes / 1_000)
  const bytes = median(views.map((view) => view.bytes))
  const requests = median(views.map((view) => view.requests))
  return `## The console

Made by \`make bench-console\` on ${new Date().toISOString().slice(0, 10)}: \`dist/svc\` with ${JOBS.toLocaleString('en-US')} ended jobs, a tenth of them failed, and
Debian's Chromium beside it on ${cores} cores (${cpu}); load ${load.map((each) => each.toFixed(1)).join(' when it began, ')} when it ended, the
browser's own in it. Milliseconds; the page measures itself, from the interaction to the frame after the one that shows what it led to, and a
frame takes 17.

| | Median of ${VIEWS} | Worst | Target | |
|---|---|---|---|---|
${row(
  'First view: from the address to the rows of the job list, nothing cached',
  views.map(({ ms }) => ms),
  MOST_VIEW_MS,
)}
${timed.map(({ name, ms }) => row(name, ms, MOST_DEED_MS)).join('\n')}

Until the rows stand the browser takes **${kb(bytes)} kB** in ${requests} files, compressed; the build refuses a first view of more than 400 kB, and
counts ${kb(builtBytes)} kB for the largest page.
`
}

/** Puts the section in its place, or before the notes. */
const intoDocs = (docs: string, section: string): string => {
  const without = docs.replace(/^## The console\n[\s\S]*?(?=^## )/m, '')
  return without.replace(/^## Reading them$/m, () => `${section}\n## Reading them`)
}

const load = [loadavg()[0] ?? 0]
const { firstViewBytes } = await buildConsole()
const node = await startConsoleNode({}, [BINARY], 'disk')
try {
  await fill(node)
  const tour = await openTour(node, [])
  try {
    const views = await measureViews(tour)
    const timed = await measureInteractions(tour)
    load.push(loadavg()[0] ?? 0)
    const section = toSection({ builtBytes: firstViewBytes, views, timed, load })
    writeFileSync(FRAGMENT, section)
    writeFileSync(DOCS, intoDocs(readFileSync(DOCS, 'utf8'), section))
    process.stdout.write(section)
  } finally {
    await tour.close()
  }
} finally {
  await node.stop()
}
