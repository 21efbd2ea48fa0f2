import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { CHILD_ENV } from './svc-process.ts'

const SERVER = JSON.stringify(join(import.meta.dirname, 'command-server.ts'))

/** Runs a program that a command server could block forever. */
const runBriefly = (program: string) =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: CHILD_ENV,
    timeout: 20_000,
    encoding: 'utf8',
  })

test('each command is refused once the process of commands has died', () => {
  // the process dies of the missing folder
  const { stdout, error } = runBriefly(`
    const { openCommandServer } = await import(${SERVER})
    const commands = openCommandServer()
    for (const _ of [1, 2]) {
      try { commands.run({ args: ['help'], cwd: '/nowhere', env: {} }) }
      catch ({ message }) { console.log(message) }
    }
    commands.close()`)
  expect(error).toBeUndefined()
  expect(stdout).toBe('The process that runs commands has died.\n'.repeat(2))
})

// Vitest waits for the output of its workers, which processes that they started keep open
test.each(['.close()', ''])(
  'a caller that ends at once after openCommandServer()%s leaves no process behind',
  (close) => {
    const program = `const { openCommandServer } = await import(${SERVER}); openCommandServer()${close}; process.exit(0)`
    const { status, error } = runBriefly(program)
    expect(error).toBeUndefined()
    expect(status).toBe(0)
  },
)
