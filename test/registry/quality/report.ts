/** `make registry-report`: how well the parser reads generated certificates, field by field. Writes docs/registry-quality.md. */
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import process from 'node:process'
import { CASES } from '../fixtures/certificate/cases.ts'
import { measure } from './measure.ts'
import { printerReport } from './printer-report.ts'
import { reliabilityRows } from './reliability.ts'
import { REPORT_FILE, readReport, withPrint } from './report-file.ts'
import { type Counts, scores } from './tally.ts'

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 1000)

function toRow([group, counts]: readonly [string, Counts]): string {
  const { precision, recall, f1 } = scores(counts)
  const cells = [
    counts.right,
    counts.invented,
    counts.missed,
    ...[precision, recall, f1].map((value) => value.toFixed(4)),
  ]
  return `| ${group} | ${cells.join(' | ')} |`
}

function toCases(cases: ReadonlyMap<string, number>): string {
  return CASES.map((name) => `${name} ${cases.get(name) ?? 0}`).join(' · ')
}

const started = performance.now()
const { tally, cases, refused, documents } = measure(
  Array.from({ length: DOCUMENTS }, (_, index) => index + 1),
)
const seconds = ((performance.now() - started) / 1000).toFixed(0)
const examples = tally.misses.slice(0, 10).map(({ path, wanted, found }) => {
  const tell = (value: unknown) => `\`${JSON.stringify(value ?? null).slice(0, 80)}\``
  return `- ${path}: wanted ${tell(wanted)}, found ${tell(found)}`
})

const day = new Date().toISOString().slice(0, 10)
const load = loadavg()[0]?.toFixed(0) ?? '?'

const report = `# How well the registry parser reads

Made by \`make registry-report\`, which generates ${DOCUMENTS} certificates (seeds 1 to ${DOCUMENTS}), lays them out on pages as the registry
does, parses them and compares every value with what was put in. A value that is read wrongly counts twice, as invented and as
missed. Texts are compared without blanks: where a line ends inside a cell, the print does not tell whether a blank stood there.

The generator was written from the same description of the document as the parser, by another hand. Agreement between the two
is not agreement with every certificate there is; the independent check is the measured certificate in
\`test/registry/measured.test.ts\`, all of whose lines are read.

Measured on ${day}, at a load of ${load} on ${availableParallelism()} cores, on which no figure of this part depends.

| Fields | Right | Invented | Missed | Precision | Recall | F1 |
|---|---|---|---|---|---|---|
${[...tally.groups].map(toRow).join('\n')}

Refused: ${refused.length} of ${DOCUMENTS}.

What the stated confidence is worth, of a certificate that is no scan:

| Stated | Certificates | Stated, mean | Fields read rightly |
|---|---|---|---|
${reliabilityRows(documents)}

## Hard cases, and how many of the certificates have them

${toCases(cases)}

## What is still read otherwise

${examples.length === 0 ? 'Nothing.' : examples.join('\n')}

${await printerReport()}`
writeFileSync(REPORT_FILE, withPrint(readReport(), report))
process.stdout.write(`${report}\n${DOCUMENTS} certificates in ${seconds} s\n`)
