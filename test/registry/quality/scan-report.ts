/**
 * `make scan-report`: how well scans are read, by field and by quality, and how reliable the stated confidence is. Writes
 * the part of docs/registry-quality.md about scans.
 */
import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PROPERTY_TYPES } from '#registry/schema/title.ts'
import { generateCertificate } from '../fixtures/certificate/generate-certificate.ts'
import { ACCURACIES, type Accuracy, type ScanMeasure } from './measure-scan.ts'
import { reliabilityRows } from './reliability.ts'
import { REPORT_FILE, readReport, withScans } from './report-file.ts'
import type { ScanQuality } from './scan-pages.ts'
import { MEASURED_QUALITIES, POOR_QUALITIES } from './scan-qualities.ts'
import type { ScanTask } from './scan-task.ts'
import { type Counts, scores, totalOf } from './tally.ts'

const PER_KIND = Number(process.env.SCANS_PER_KIND ?? 2)
/** Use fewer than the number of cores on a machine that does other work. */
const PROCESSES = Number(process.env.SCAN_PROCESSES ?? availableParallelism())
/** A file that stores the measurements, so that an interrupted report continues where it stopped. */
const MEASURES = process.env.SCAN_MEASURES
/** The settings of this run, so that it can be repeated. */
const SETTINGS = ['SCANS_PER_KIND', 'SCAN_MOST_PAGES', 'SCAN_SEEDS', 'SCAN_PROCESSES'].flatMap(
  (name) => (process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`]),
)
const FIRST_SEED = 101
/** Maximum number of pages of a certificate. Without it the report takes an hour. */
const MOST_PAGES = Number(process.env.SCAN_MOST_PAGES ?? 3)
const WORKER = fileURLToPath(new URL('scan-worker.ts', import.meta.url))
const MAX_OUTPUT = 64 * 1_024 * 1_024

const seedsOf = (kind: number): readonly number[] => {
  const seeds: number[] = []
  for (let seed = FIRST_SEED; seeds.length < PER_KIND; seed += 1) {
    const propertyType = PROPERTY_TYPES[kind]
    if (seed % PROPERTY_TYPES.length !== kind || propertyType === undefined) continue
    if (generateCertificate(seed, { propertyType }).pages.pages.length <= MOST_PAGES)
      seeds.push(seed)
  }
  return seeds
}

const toMeasures = (lines: string): readonly ScanMeasure[] =>
  lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): ScanMeasure => JSON.parse(line))

const measure = async (task: ScanTask): Promise<readonly ScanMeasure[]> => {
  const args = [WORKER, JSON.stringify(task)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: MAX_OUTPUT })
  if (MEASURES !== undefined) appendFileSync(MEASURES, stdout)
  process.stderr.write(`${task.quality.name}: ${task.seeds.join(', ')}\n`)
  return toMeasures(stdout)
}

const isMeasured = (known: readonly ScanMeasure[], { quality, seeds, accuracies }: ScanTask) =>
  accuracies.every((accuracy) =>
    known.some(
      (one) =>
        one.quality === quality.name && one.accuracy === accuracy && seeds.includes(one.seed),
    ),
  )

const measureAll = async (tasks: readonly ScanTask[]): Promise<readonly ScanMeasure[]> => {
  const isBegun = MEASURES !== undefined && existsSync(MEASURES)
  const measures = [...toMeasures(isBegun ? readFileSync(MEASURES, 'utf8') : '')]
  const waiting = tasks.filter((task) => !isMeasured(measures, task))
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      measures.push(...(await measure(task)))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return measures
}

const fieldsOf = ({ groups }: ScanMeasure): Counts => totalOf(groups.map(([, counts]) => counts))

const toRow = (quality: string, accuracy: Accuracy, measures: readonly ScanMeasure[]): string => {
  const own = measures.filter((one) => one.quality === quality && one.accuracy === accuracy)
  const fields = scores(totalOf(own.map(fieldsOf)))
  const result = scores(totalOf(own.map((one) => one.result)))
  const pages = own.reduce((sum, one) => sum + one.pages, 0)
  const seconds = own.reduce((sum, one) => sum + one.milliseconds, 0) / 1000 / Math.max(1, pages)
  const shown = [fields.recall, fields.f1, result.recall, result.f1].map((value) =>
    value.toFixed(3),
  )
  return `| ${quality} | ${accuracy} | ${shown.join(' | ')} | ${seconds.toFixed(1)} |`
}

const groupRows = (measures: readonly ScanMeasure[]): string => {
  const names = [...new Set(measures.flatMap(({ groups }) => groups.map(([name]) => name)))]
  const recall = (name: string, accuracy: Accuracy): string => {
    const own = measures.filter((one) => one.accuracy === accuracy)
    const counts = own.flatMap(({ groups }) => groups.filter(([group]) => group === name))
    return scores(totalOf(counts.map(([, count]) => count))).recall.toFixed(3)
  }
  return names
    .map(
      (name) => `| ${name} | ${ACCURACIES.map((accuracy) => recall(name, accuracy)).join(' | ')} |`,
    )
    .join('\n')
}

const COMMAND = ['make scan-report', ...SETTINGS].join(' ')
const seeds =
  process.env.SCAN_SEEDS?.split(',').map(Number) ??
  PROPERTY_TYPES.flatMap((_, kind) => seedsOf(kind))
const tasksOf = (qualities: readonly ScanQuality[], accuracies: Accuracy[]): readonly ScanTask[] =>
  seeds.flatMap((seed) => qualities.map((quality) => ({ quality, seeds: [seed], accuracies })))
const measures = await measureAll([
  ...tasksOf(MEASURED_QUALITIES, [...ACCURACIES]),
  ...tasksOf(POOR_QUALITIES, ['standard']),
])
const promised = measures.filter(({ quality }) =>
  MEASURED_QUALITIES.some(({ name }) => name === quality),
)
const poor = POOR_QUALITIES.map(({ name }) => toRow(name, 'standard', measures)).join('\n')

const section = `## Scans

Made by \`${COMMAND}\`: ${seeds.length} of the generated certificates
(seeds ${seeds.map((seed) => `${seed}, ${PROPERTY_TYPES[seed % PROPERTY_TYPES.length]?.replace('_', ' ') ?? ''}`).join('; ')}), rendered, turned by
a degree, strewn with noise of 16 in 255, compressed, and packed into PDFs of images as scanners make them; then read by OCR as
\`POST /v2/workflows\` does. *Fields* are all values of the parser's document, counted as above, an entry that was lost with all
that it says; *result* are the fields of the workflow call's answer. The certificates of the generator are printed in one font,
and its scans are cleaner than what has lain in a drawer: take the figures as the upper bound.

So few documents say nothing about a hundredth or two between rows. A certificate without colour that lies askew loses strikes
of cancellation, and with them which entries hold. Seconds depend on what else the machine does: the load was ${loadavg()[2]?.toFixed(0) ?? 'unknown'} on ${availableParallelism()} cores.

| Scan | Accuracy | Fields: recall | F1 | Result: recall | F1 | Seconds a page |
|---|---|---|---|---|---|---|
${MEASURED_QUALITIES.flatMap(({ name }) => ACCURACIES.map((accuracy) => toRow(name, accuracy, measures))).join('\n')}

Worse than what is asked for, at standard accuracy:

| Scan | Accuracy | Fields: recall | F1 | Result: recall | F1 | Seconds a page |
|---|---|---|---|---|---|---|
${poor}

Recall by group of fields, over the scans of the first table:

| Fields | standard | high |
|---|---|---|
${groupRows(promised)}

### What the stated confidence is worth

Of a scan, the confidence follows from how many letters OCR doubts (\`internal/registry/scan/scan-confidence.ts\`), along a line
drawn through twelve scans of other certificates, seven of them askew. Where the share that was read rightly is below what was stated, it is
overstated: OCR is sure of some things that it reads wrongly. All scans of both tables, at both accuracies, by what was stated:

| Stated | Scans | Stated, mean | Fields read rightly | Result's fields read rightly |
|---|---|---|---|---|
${reliabilityRows(measures.map((one) => ({ stated: one.stated, fields: fieldsOf(one), result: one.result })))}
`
writeFileSync(REPORT_FILE, withScans(readReport(), section))
process.stdout.write(section)
