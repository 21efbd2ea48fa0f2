/** docs/registry-quality.md has two parts, each written by a separate make target: print above, scans below. */
import { readFileSync } from 'node:fs'

export const REPORT_FILE = new URL('../../../docs/registry-quality.md', import.meta.url)
const SCANS = '## Scans\n'

export const readReport = (): string => readFileSync(REPORT_FILE, 'utf8')

const partsOf = (report: string): readonly [print: string, scans: string] => {
  const at = report.indexOf(SCANS)
  return at === -1 ? [report, ''] : [report.slice(0, at), report.slice(at)]
}

export const withPrint = (report: string, print: string): string => {
  const [, scans] = partsOf(report)
  return scans === '' ? print : `${print.trimEnd()}\n\n${scans}`
}

export const withScans = (report: string, scans: string): string =>
  `${partsOf(report)[0].trimEnd()}\n\n${scans}`
