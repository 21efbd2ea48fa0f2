/** Tests `svc dev run --watch`, which runs an action again after each change of its folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CHILD_ENV, PROGRAM } from '../../test/support/svc-process.ts'

const [COMMAND = '', ...BEFORE] = PROGRAM
const folder = mkdtempSync(join(tmpdir(), 'svc-watch-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MANIFEST = 'key: shop\nactions: [{ key: greet, entrypoint: actions/greet.ts }]\n'
const writeAction = (code: string) => writeFileSync(join(folder, 'actions', 'greet.ts'), code)

test('dev run --watch runs again after each change, also after one with a fault', async () => {
  mkdirSync(join(folder, 'actions'))
  writeFileSync(join(folder, 'app.yaml'), MANIFEST)
  writeAction("export const main = () => 'first'\n")
  const args = [...BEFORE, 'dev', 'run', 'greet', '--watch']
  const child = spawn(COMMAND, args, { cwd: folder, env: CHILD_ENV, stdio: 'pipe' })
  let said = ''
  const untilSaid = async (wanted: string) => {
    while (!said.includes(wanted)) {
      const [chunk] = await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
      said += String(chunk)
    }
    said = said.slice(said.indexOf(wanted) + wanted.length)
  }
  try {
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
  } finally {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
})

test('dev run --watch ends at once by a wrong input, and by Ctrl-C while the action runs', async () => {
  writeFileSync(join(folder, 'app.yaml'), MANIFEST)
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
