/**
 * Ends a run of Vitest that exceeds TEST_DEADLINE_S, and names what still ran and what had failed. Vitest writes its report
 * only at the end, so a run that CI stops reports nothing.
 */
import { relative } from 'node:path'
import process from 'node:process'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { ROOT } from '../support/repository.ts'

const pathOf = ({ moduleId }: TestModule): string => relative(ROOT, moduleId)

/** @param deadlineS seconds after which the run ends; 0 for never */
export const createDeadlineReporter = (deadlineS: number): Reporter => {
  const files = new Map<string, number>()
  const tests = new Map<string, Readonly<{ name: string; since: number }>>()
  const failures: string[] = []
  const secondsSince = (since: number): number => Math.round((Date.now() - since) / 1_000)

  const end = (): void => {
    const lines = [
      `failed: the tests took more than ${deadlineS} s (TEST_DEADLINE_S)`,
      ...[...files].map(([path, since]) => `still running, ${secondsSince(since)} s: ${path}`),
      ...[...tests.values()].map(
        ({ name, since }) => `still running, ${secondsSince(since)} s: ${name}`,
      ),
      ...failures,
    ]
    process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(1))
  }

  return {
    onInit: () => {
      if (deadlineS > 0) setTimeout(end, deadlineS * 1_000).unref()
    },
    onTestModuleStart: (module) => {
      files.set(pathOf(module), Date.now())
    },
    onTestModuleEnd: (module) => {
      files.delete(pathOf(module))
    },
    onTestCaseReady: (test: TestCase) => {
      tests.set(test.id, { name: `${pathOf(test.module)}: ${test.fullName}`, since: Date.now() })
    },
    onTestCaseResult: (test: TestCase) => {
      tests.delete(test.id)
      const { state, errors = [] } = test.result()
      if (state !== 'failed') return
      const why = errors.map(({ message }) => message).join('\n')
      failures.push(`failed: ${pathOf(test.module)}: ${test.fullName}\n${why}`)
    },
  }
}
