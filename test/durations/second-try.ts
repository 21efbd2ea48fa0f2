/**
 * At the end of a run of Vitest, names the tests that ran into a timeout, with the state of their process, and those that
 * passed only on their second attempt. Such tests depend on how busy the machine is, and need repair.
 */
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestCase } from 'vitest/node'
import { ROOT } from '../support/repository.ts'

export const createSecondTryReporter = (): Reporter => {
  const lines: string[] = []
  return {
    onTestCaseResult: (test: TestCase) => {
      const name = `${relative(ROOT, test.module.moduleId)}: ${test.fullName}`
      const { timeout } = test.meta()
      if (timeout !== undefined) lines.push(`timed out: ${name}: ${JSON.stringify(timeout)}`)
      const tries = test.diagnostic()?.retryCount ?? 0
      if (tries > 0 && test.result().state === 'passed')
        lines.push(`passed when tried again: ${name}`)
    },
    onTestRunEnd: () => {
      for (const line of lines) process.stdout.write(`${line}\n`)
    },
  }
}
