/** Builds docs/benchmarks.md from the samples. The text between the tables is in benchmarks-notes.md in this folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import type { Measure, Participant } from './measure.ts'
import type { Sample } from './sample.ts'
import { median, type Spread, spreadOf } from './statistics.ts'

export type Series = Readonly<{ participant: Participant; samples: readonly Sample[] }>

export type Measured = Readonly<{
  measure: Measure
  series: readonly Series[]
  /** Participants that could not be measured, and why. */
  failures: ReadonlyMap<Participant, string>
}>

export type Results = Readonly<{
  measured: readonly Measured[]
  machine: Machine
  durableWrites: readonly number[]
  binaryMb: number
  date: string
}>

export const NAMES: Readonly<Record<Participant, string>> = {
  svc: 'svc',
  'graphile-worker': 'graphile-worker',
  'pg-boss': 'pg-boss',
  bullmq: 'BullMQ',
  dbos: 'DBOS',
  restate: 'Restate',
}

export const figure = (value: number): string => {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 || value === 0 ? value.toFixed(value === 0 ? 0 : 1) : value.toFixed(2)
}

const spreadText = ({ median, min, max }: Spread): string =>
  `${figure(median)} (${figure(min)}–${figure(max)})`

export const spreadOfSeries = ({ samples }: Series): Spread =>
  spreadOf(samples.map(({ value }) => value))

const seriesOf = ({ series }: Measured, participant: Participant): Series | undefined =>
  series.find((each) => each.participant === participant)

/** The median of a further figure, if every sample has it. */
const medianOfMore = ({ samples }: Series, name: string): number =>
  median(samples.map(({ more }) => more?.[name] ?? Number.NaN))

/** Measures that are compared with S8 small, and by how many times they may exceed it. */
const TIMES_S8_SMALL: Readonly<Record<string, number>> = {
  'S8 large': 1.3,
  'S8 workspaces': 1.3,
  'S8 other-tag': 1.3,
  'S8 distinct-keys': 1.2,
  'S8 full-keys': 1.2,
}

/** Measures that are compared with a peer in the same run, and how many times its value they may reach. */
const TIMES_PEER: Readonly<Record<string, Readonly<{ peer: Participant; most: number }>>> = {
  S16: { peer: 'dbos', most: 0.5 },
}

const verdict = (measured: Measured, all: readonly Measured[]): string => {
  const failure = measured.failures.get('svc')
  if (failure !== undefined) return `failed: ${failure}`
  const ours = seriesOf(measured, 'svc')
  if (ours === undefined) return 'not measured'
  const { median: value } = spreadOfSeries(ours)
  const mostTimes = TIMES_S8_SMALL[measured.measure.id]
  if (mostTimes !== undefined) {
    const small = all.find(({ measure }) => measure.id === 'S8 small')
    const base = small === undefined ? undefined : seriesOf(small, 'svc')
    if (base === undefined) return ''
    const ratio = value / spreadOfSeries(base).median
    return `${ratio <= mostTimes ? 'met' : 'missed'}: ${ratio.toFixed(2)} ×`
  }
  const rival = TIMES_PEER[measured.measure.id]
  if (rival !== undefined) {
    const theirs = seriesOf(measured, rival.peer)
    if (theirs === undefined) return `${rival.peer} was not measured`
    const ratio = value / spreadOfSeries(theirs).median
    return `${ratio <= rival.most ? 'met' : 'missed'}: ${ratio.toFixed(2)} × ${rival.peer}`
  }
  if (measured.measure.target === '–') return ''
  const over = Object.entries(measured.measure.alsoBelow ?? {})
    .filter(([name, most]) => !(medianOfMore(ours, name) < most))
    .map(([name]) => `${name} ${figure(medianOfMore(ours, name))}`)
  if (!measured.measure.isMet(value)) return 'missed'
  return over.length === 0 ? 'met' : `missed: ${over.join(', ')}`
}

/** The details after a figure: the share of the disk's limit, the tail, and other figures that count. */
const detailsOf = (measure: Measure, ours: Series, durableWrites: readonly number[]): string => {
  const share = spreadOfSeries(ours).median / median(durableWrites)
  return [
    ...(measure.isOneByOne === true ? [`${Math.round(100 * share)} % of the disk's`] : []),
    ...(ours.samples[0]?.more?.p99 === undefined
      ? []
      : [`p99 ${figure(medianOfMore(ours, 'p99'))}`]),
    ...Object.keys(measure.alsoBelow ?? {})
      .filter((name) => name !== 'p99')
      .map((name) => `${name} ${figure(medianOfMore(ours, name))}`),
  ]
    .map((detail) => `; ${detail}`)
    .join('')
}

const targetRows = (
  all: readonly Measured[],
  durableWrites: readonly number[],
): readonly string[] =>
  all.map((measured) => {
    const { measure } = measured
    const ours = seriesOf(measured, 'svc')
    const shown = ours === undefined ? '–' : `${spreadText(spreadOfSeries(ours))} ${measure.unit}`
    const tail = ours === undefined ? '' : detailsOf(measure, ours, durableWrites)
    return `| ${measure.id} | ${measure.title} | ${measure.target} | ${shown.trim()}${tail} | ${verdict(measured, all)} |`
  })

const ratio = (measure: Measure, ours: number, theirs: number): string => {
  const times = measure.better === 'higher' ? ours / theirs : theirs / ours
  return `${times.toFixed(times < 10 ? 1 : 0)} ×`
}

const peerRows = (all: readonly Measured[]): readonly string[] =>
  all
    .filter(({ measure }) => measure.peers !== undefined)
    .flatMap((measured) => {
      const { measure, series, failures } = measured
      const own = seriesOf(measured, 'svc')
      const ours = own === undefined ? Number.NaN : spreadOfSeries(own).median
      return [
        ...series.map((each) => {
          const spread = spreadOfSeries(each)
          const isAlone = each.participant === 'svc' || own === undefined
          const beside = isAlone ? '' : ratio(measure, ours, spread.median)
          const cpu = figure(median(each.samples.map(({ cpuS }) => cpuS)))
          const memory = figure(median(each.samples.map(({ rssMb }) => rssMb)))
          return `| ${measure.id} | ${NAMES[each.participant]} | ${spreadText(spread)} ${measure.unit} | ${beside} | ${cpu} s | ${memory} MB | ${each.samples.at(-1)?.check ?? ''} |`
        }),
        ...[...failures].map(
          ([participant, reason]) =>
            `| ${measure.id} | ${NAMES[participant]} | ${series.some((each) => each.participant === participant) ? 'failed on the way' : 'not measured'}: ${reason} | | | | |`,
        ),
      ]
    })

const costRows = (all: readonly Measured[]): readonly string[] =>
  all
    .filter(({ measure }) => measure.peers === undefined)
    .flatMap((measured) => {
      const ours = seriesOf(measured, 'svc')
      if (ours === undefined) return []
      const of = (pick: (sample: Sample) => number): string =>
        figure(median(ours.samples.map(pick)))
      const more = Object.keys(ours.samples[0]?.more ?? {})
        .filter((name) => name !== 'p99')
        .map((name) => `${name} ${of(({ more: each }) => each?.[name] ?? Number.NaN)}`)
      const check = [ours.samples.at(-1)?.check ?? '', ...more].join('; ')
      return [
        `| ${measured.measure.id} | ${of(({ cpuS }) => cpuS)} s | ${of(({ rssMb }) => rssMb)} MB | ${check} |`,
      ]
    })

const QUIET_LOAD = 0.5

const loadWarning = ({ loadBefore }: Machine): string =>
  loadBefore <= QUIET_LOAD
    ? ''
    : `
**Provisional: other programs used this machine** (load ${loadBefore.toFixed(1)} when the run began). Targets may read as
missed that are met on a quiet one; measure again there.
`

export const toMarkdown = (results: Results): string => {
  const { measured, machine, durableWrites, binaryMb, date } = results
  const notes = readFileSync(join(import.meta.dirname, 'benchmarks-notes.md'), 'utf8').trim()
  // measured separately, in a browser
  const console = readFileSync(join(import.meta.dirname, 'benchmarks-console.md'), 'utf8').trim()
  return `# Benchmarks

Made by \`make bench\` on ${date}; do not edit. Every figure is a median with its range in brackets; each sample is a process
of its own, and ours and theirs take turns within one run. Times differ from machine to machine: read the ratios.
${loadWarning(machine)}
Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}. The disk made
**${spreadText(spreadOf(durableWrites))} durable 4 KiB writes a second** (write + fdatasync) during the run, which
bounds what commits one job at a time.

Durability: svc on a libSQL file, WAL, each commit synced before it is acknowledged. graphile-worker and pg-boss on PostgreSQL, \`fsync=on\`,
\`synchronous_commit=on\`. BullMQ on Redis, \`appendonly yes\`, \`appendfsync always\`. DBOS on
the same PostgreSQL; Restate as it comes. None of the peers runs its jobs in a sandbox; S7 of svc does. An acknowledged job survives power loss in
all of them.

![Bars: svc beside its peers](benchmarks.svg)

## Targets

| | What | Target | svc | |
|---|---|---|---|---|
${targetRows(measured, durableWrites).join('\n')}

\`dist/svc\` is one file of ${figure(binaryMb)} MB (S15: at most 200).

## Beside the peers

CPU and memory are those of the queue's process and its server together.

| | Queue | Median (range) | svc is | CPU | Memory | Checked |
|---|---|---|---|---|---|---|
${peerRows(measured).join('\n')}

## What our own samples cost

Memory is of the node with all the processes that it started.

| | CPU | Memory | Checked |
|---|---|---|---|
${costRows(measured).join('\n')}

${console}

${notes}
`
}
