/** Writes the duration of every test file to dist/test-durations.json when a run of Vitest ends. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { ROOT } from '../support/repository.ts'
import { type DurationReport, REPORT } from './report.ts'

const secondsOf = (module: TestModule): number => {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  const ms = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
  return Math.round(ms / 10) / 100
}

export const createDurationReporter = (): Reporter => {
  const startedAt = Date.now()
  return {
    onTestRunEnd: (modules) => {
      const files = modules
        .map((module) => ({ path: relative(ROOT, module.moduleId), seconds: secondsOf(module) }))
        .sort((a, b) => b.seconds - a.seconds)
      const report: DurationReport = { startedAt, files }
      mkdirSync(dirname(REPORT), { recursive: true })
      writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`)
    },
  }
}
