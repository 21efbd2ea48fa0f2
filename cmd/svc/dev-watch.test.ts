/** Tests `svc dev run --watch` and `svc dev flow --watch`, which run again after each change of the folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { CHILD_ENV, PROGRAM } from '../../test/support/svc-process.ts'

const [COMMAND = '', ...BEFORE] = PROGRAM
const folder = mkdtempSync(join(tmpdir(), 'svc-watch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MANIFEST = 'key: shop\nactions: [{ key: greet, entrypoint: actions/greet.ts }]\n'
const writeAction = (code: string) => writeFileSync(join(folder, 'actions', 'greet.ts'), code)

/** Starts a command, and ends it by Ctrl-C after `act`, which may wait until it has printed a text. */
const watching = async (
  args: readonly string[],
  act: (untilSaid: (wanted: string) => Promise<void>) => Promise<void>,
) => {
  const child = spawn(COMMAND, [...BEFORE, ...args], { cwd: folder, env: CHILD_ENV, stdio: 'pipe' })
  let said = ''
  const untilSaid = async (wanted: string) => {
    while (!said.includes(wanted)) {
      const [chunk] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
      said += String(chunk)
    }
    said = said.slice(said.indexOf(wanted) + wanted.length)
  }
  try {
    await act(untilSaid)
  } finally {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
}

beforeEach(() => {
  mkdirSync(join(folder, 'actions'), { recursive: true })
  writeFileSync(join(folder, 'app.yaml'), MANIFEST)
  writeAction("export const main = () => 'first'\n")
})

test('dev run --watch runs again after each change, also after one with a fault', async () => {
  await watching(['dev', 'run', 'greet', '--watch'], async (untilSaid) => {
    await untilSaid('success  "first"')
    await untilSaid('Waiting for a change.')
    writeAction('export const main = () => {\n')
    await untilSaid('↻ actions/greet.ts')
    await untilSaid('actions/greet.ts:2:1')
    await untilSaid('Waiting for a change.')
    writeAction("export const main = () => 'second'\n")
    await untilSaid('success  "second"')
    await untilSaid('Waiting for a change.')
    writeFileSync(join(folder, 'app.yaml'), `${MANIFEST}colour: red\n`)
    await untilSaid('app.yaml:3:1 colour')
  })
})

const STEPS = '[{ key: ask, kind: approval }, { key: greet, action: greet }]'
const WITH_FLOW = `${MANIFEST}flows: [{ key: order, steps: ${STEPS} }]\n`

test.each(['{', '-'])('dev flow --watch ends at once by the answer %s', async (answer) => {
  writeFileSync(join(folder, 'app.yaml'), WITH_FLOW)
  const args = [...BEFORE, 'dev', 'flow', 'order', '--watch', '--approve', answer]
  const child = spawn(COMMAND, args, { cwd: folder, env: CHILD_ENV, stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([2, null])
})

test('dev flow --watch runs again after each change, with the same answers', async () => {
  writeFileSync(join(folder, 'app.yaml'), WITH_FLOW)
  await watching(['dev', 'flow', 'order', '--watch', '--approve', '{}'], async (untilSaid) => {
    await untilSaid('completed  order  "first"')
    await untilSaid('Waiting for a change.')
    writeAction("export const main = () => { throw new Error('no') }\n")
    await untilSaid('failed  order')
    await untilSaid('Waiting for a change.')
    writeAction("export const main = () => 'second'\n")
    await untilSaid('completed  order  "second"')
  })
})

test('dev run --watch ends at once by a wrong input, and by Ctrl-C while the action runs', async () => {
  writeAction(
    "export const main = async () => { console.log('runs'); await new Promise(() => {}) }\n",
  )
  const start = (...more: readonly string[]) => {
    const args = [...BEFORE, 'dev', 'run', 'greet', '--watch', ...more]
    return spawn(COMMAND, args, { cwd: folder, env: CHILD_ENV, stdio: 'pipe' })
  }
  expect(await once(start('--input', '@none.json'), 'exit')).toEqual([1, null])
  const child = start()
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
})
