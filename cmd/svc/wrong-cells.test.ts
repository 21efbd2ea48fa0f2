/** Tests that commands of one database refuse settings that give a cell the database of another, and copies of another cell. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { CHILD_ENV, PROGRAM, startSvc } from '../../test/support/svc-process.ts'

let folder = ''
const CELLS = 'eu=file:eu.db;us=file:us.db'

const svc = (args: readonly string[], cells = CELLS) => {
  const [command = '', ...program] = PROGRAM
  return spawnSync(command, [...program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...CHILD_ENV, SVC_CELLS: cells },
    // ends a command that never returns
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
}

beforeAll(async () => {
  folder = makeMemoryFolder('svc-cells-')
  // a node names all its databases
  const node = startSvc(['server'], {
    cwd: folder,
    env: { SVC_CELLS: CELLS, SVC_PORT: '0' },
  })
  await node.untilSaid(/"The node is ready\."/)
  expect(svc(['workspace', 'create', 'acme', '--cell', 'eu']).status).toBe(0)
  expect(svc(['workspace', 'create', 'beta', '--cell', 'us']).status).toBe(0)
  expect(await node.stop()).toBe(0)
  for (const cell of ['home', 'eu']) svc(['db', 'backup', '--cell', cell, `copy-${cell}.db`])
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test.each([['check'], ['backup', 'of-eu.db'], ['restore', 'copy-eu.db']])(
  'svc db %s --cell eu refuses the database of us',
  (...args) => {
    const before = readFileSync(join(folder, 'us.db'))
    const { stderr, status } = svc(['db', ...args, '--cell', 'eu'], 'eu=file:us.db;us=file:eu.db')
    expect(stderr).toBe(
      'The database of the cell eu is the one of the cell us. Correct SVC_CELLS: every node gives each cell the same database.\n',
    )
    expect(status).toBe(1)
    expect(readFileSync(join(folder, 'us.db'))).toEqual(before)
    expect(existsSync(join(folder, 'of-eu.db'))).toBe(false)
  },
)

test.each([
  ['home', 'copy-eu.db', 'eu'],
  ['eu', 'copy-home.db', 'home'],
])('the database of %s is not replaced by %s', (cell, copy, other) => {
  const { stderr, status } = svc(['db', 'restore', copy, '--cell', cell])
  expect(stderr).toBe(
    `${copy} cannot be used: it is a copy of the cell ${other}, and the database here is the cell ${cell}.\n`,
  )
  expect(status).toBe(1)
})

test('a copy of a cell becomes that cell, where its file is lost too, and is examined in a folder of its own', () => {
  for (const args of [
    ['--cell', 'eu'],
    ['--cell', 'eu'],
    ['--data-dir', 'examined'],
  ]) {
    const { stdout, status } = svc(['db', 'restore', 'copy-eu.db', ...args])
    expect([stdout.split(' ')[0], status]).toEqual(['Restored', 0])
    rmSync(join(folder, 'eu.db'), { force: true })
  }
  const { stdout, status } = svc(['db', 'check', '--data-dir', 'examined'])
  expect(status).toBe(0)
  expect(stdout).toContain('Invariants I1 to I7, I12 to I14, I17 hold')
  expect(svc(['db', 'restore', 'copy-home.db', '--cell', 'eu']).stderr).toContain('the cell home')
})

test.each([['check'], ['backup', 'of-folder.db'], ['restore', 'copy-eu.db']])(
  'svc db %s states that a database is a folder',
  (...args) => {
    const { stderr, status } = svc(['db', ...args, '--database-url', 'file:.'])
    expect(stderr).toContain('is a folder. Name a file in it: file:')
    expect(status).toBe(2)
  },
)
