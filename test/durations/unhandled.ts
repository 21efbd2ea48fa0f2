/**
 * Writes uncaught errors to dist/test-unhandled.json when a run of Vitest ends. The
 * run fails because of them, but its report does not contain them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reporter } from 'vitest/node'
import { ROOT } from '../support/repository.ts'

const UNHANDLED = join(ROOT, 'dist', 'test-unhandled.json')

export const createUnhandledReporter = (): Reporter => ({
  onTestRunEnd: (_, errors) => {
    mkdirSync(dirname(UNHANDLED), { recursive: true })
    rmSync(UNHANDLED, { force: true })
    if (errors.length === 0) return
    const told = errors.map(({ message, stack }) => ({ message, stack }))
    writeFileSync(UNHANDLED, `${JSON.stringify(told, null, 2)}\n`)
  },
})
