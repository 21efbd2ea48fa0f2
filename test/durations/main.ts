/**
 * Prints how long the suite took and which files took the longest, and fails if it exceeds TEST_BUDGET_S. With --record it
 * writes slow-files.json, by which the next run decides which files to start first.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { durationReport, REPORT } from './report.ts'
import { SLOW_FILES } from './slow-first.ts'
import { describeDurations } from './summary.ts'

const report = durationReport.parse(JSON.parse(readFileSync(REPORT, 'utf8')))

if (process.argv.includes('--record')) {
  const slow = report.files.filter(({ seconds }) => seconds >= 2)
  const rows = slow.map(({ path, seconds }) => [path, Math.round(seconds)])
  writeFileSync(SLOW_FILES, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
} else {
  const { text, isLate } = describeDurations(report, {
    totalS: (Date.now() - report.startedAt) / 1_000,
    budgetS: Number(process.env.TEST_BUDGET_S ?? '0'),
  })
  process.stdout.write(text)
  if (isLate) process.exitCode = 1
}
