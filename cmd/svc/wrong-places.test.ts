/** Tests that each command refuses a folder that the system cannot create, at once and as a wrong setting. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { CHILD_ENV, PROGRAM, startSvc } from '../../test/support/svc-process.ts'

let folder = ''
beforeAll(() => {
  folder = makeMemoryFolder('svc-places-')
  svc(['db', 'migrate'])
  svc(['db', 'backup', 'backup.db'])
})
afterAll(() => rmSync(folder, { recursive: true }))

const svc = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = folder,
) => {
  const [command = '', ...program] = PROGRAM
  return spawnSync(command, [...program, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...CHILD_ENV, SVC_PORT: '0', ...env },
    // ends a command that never returns
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
}

const PLACE = '/proc/svc'

test.each([
  ['start', '--data-dir', PLACE],
  ['start', '--data-dir', `${PLACE}/deep/data`],
  ['start', '--database-url', `file:${PLACE}/svc.db`],
  ['worker', '--database-url', `file:${PLACE}/svc.db`],
  ['keys', 'sqld-jwt', '--data-dir', PLACE],
  ['db', 'migrate', '--data-dir', PLACE],
  ['db', 'restore', 'backup.db', '--data-dir', PLACE],
  ['db', 'backup', '--every', '1h', PLACE],
  ['workspace', 'create', 'sales', '--data-dir', PLACE],
])('svc %s %s %s', (...args) => {
  const { status, stdout, stderr } = svc(args)
  expect(stderr.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
    `No folder can be made at ${PLACE}: the system allows none there. Name one on a disk.`,
    '',
  ])
  expect([stdout, status]).toEqual(['', 2])
})

test.each([
  ['run', 'shop/greet', '--input', '@folder'],
  ['jobs', 'batch', 'folder'],
  ['parse', 'registry', 'folder'],
  ['workspace', 'import', 'folder', '--passphrase-file', 'passphrase'],
  ['upgrade', 'folder'],
])('svc %s %s names a folder that is given in place of a file', (...args) => {
  mkdirSync(join(folder, 'folder'), { recursive: true })
  writeFileSync(join(folder, 'passphrase'), 'twenty characters at least')
  const { status, stderr } = svc(args)
  expect(stderr).toMatch(/^(?:\/.*\/)?folder is a folder\. Name a file\.\n$/)
  expect(status).toBe(2)
})

test('a cell there holds up no other', async () => {
  const node = startSvc(['start'], { cwd: folder, env: { SVC_CELLS: `eu=file:${PLACE}/eu.db` } })
  await node.untilSaid(/A cell cannot be used yet.*"cell":"eu"/)
  await node.untilSaid(/"The node is ready\."/)
  expect(await node.stop()).toBe(0)
})

test('a new project in a folder of the kernel', () => {
  const { status, stderr } = svc(['init', 'svc'], {}, '/proc')
  expect(stderr).toContain(`No folder can be made at ${PLACE}: the system allows none there.`)
  expect(status).toBe(2)
})

test('a cache folder that cannot be made is replaced by one of this user', () => {
  expect(svc(['config'], { SVC_CACHE_DIR: PLACE }).status).toBe(0)
})
