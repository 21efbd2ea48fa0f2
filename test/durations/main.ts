/**
 * Prints how long the suite took and which files took the longest, and fails if it exceeds TEST_BUDGET_S. With --record it
 * writes slow-files.json, by which the next run decides which files to start first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../support/repository.ts'
import { durationReport, REPORT } from './report.ts'
import { describeShare } from './shares.ts'
import { readSlowFiles, SLOW_FILES } from './slow-first.ts'
import { describeDurations } from './summary.ts'

const report = durationReport.parse(JSON.parse(readFileSync(REPORT, 'utf8')))

if (process.argv.includes('--record')) {
  // files that this run left out keep their value
  const seconds = new Map(Object.entries(readSlowFiles()))
  for (const { path, seconds: took } of report.files) seconds.set(path, Math.round(took))
  const slow = [...seconds].filter(([path, took]) => took >= 2 && existsSync(join(ROOT, path)))
  const rows = slow.sort(([, took], [, other]) => other - took)
  writeFileSync(SLOW_FILES, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
} else {
  const { text, isLate } = describeDurations(report, {
    totalS: (Date.now() - report.startedAt) / 1_000,
    budgetS: Number(process.env.TEST_BUDGET_S ?? '0'),
    recorded: readSlowFiles(),
  })
  process.stdout.write(`${text}${describeShare(process.env.TEST_SHARE ?? 'all')}\n`)
  if (isLate) process.exitCode = 1
}
