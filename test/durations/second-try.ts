/**
 * Names the tests that passed only when they were tried again, at the end of a run of Vitest. They judge what a busy machine
 * delays, and want repair.
 */
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestCase } from 'vitest/node'
import { ROOT } from './report.ts'

export const createSecondTryReporter = (): Reporter => {
  const names: string[] = []
  return {
    onTestCaseResult: (test: TestCase) => {
      const tries = test.diagnostic()?.retryCount ?? 0
      if (tries === 0 || test.result().state !== 'passed') return
      names.push(`${relative(ROOT, test.module.moduleId)}: ${test.fullName}`)
    },
    onTestRunEnd: () => {
      for (const name of names) process.stdout.write(`passed when tried again: ${name}\n`)
    },
  }
}
