import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { CHILD_ENV } from './svc-process.ts'

const SERVER = JSON.stringify(join(import.meta.dirname, 'command-server.ts'))

// Vitest waits for the output of its workers, which processes that they started keep open
test.each(['.close()', ''])(
  'a caller that ends at once after openCommandServer()%s leaves no process behind',
  (close) => {
    const program = `const { openCommandServer } = await import(${SERVER}); openCommandServer()${close}; process.exit(0)`
    const { status, error } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env: CHILD_ENV, timeout: 10_000 },
    )
    expect(error).toBeUndefined()
    expect(status).toBe(0)
  },
)
