/** Copies on a disk without hard links, such as exFAT and many network shares. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDatabase } from '#store/maintenance/backup.ts'
import { SCHEMA_VERSION } from '#store/migrate.ts'
import { writeNodeDatabase } from '../support/database-template.ts'
import { type FaultyDisk, openFaultyDisk } from '../support/faulty-disk.ts'
import { makeMemoryFolder } from '../support/memory-folder.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

let folder = ''
let share = ''
let disk: FaultyDisk
beforeEach(async () => {
  folder = makeMemoryFolder('svc-no-links-')
  share = join(folder, 'share')
  mkdirSync(share)
  await writeNodeDatabase(join(folder, 'svc-data'))
  disk = openFaultyDisk(share)
  disk.fail('no-links')
})
afterEach(() => {
  disk.remove()
  rmSync(folder, { recursive: true, force: true })
})

const svc = (...args: readonly string[]) => {
  const [command = '', ...program] = PROGRAM
  const env = { ...CHILD_ENV, ...disk.env }
  return spawnSync(command, [...program, ...args], { cwd: folder, encoding: 'utf8', env })
}

test('backups and exports appear there under their names, and replace nothing', () => {
  const file = join(share, 'svc.db')
  expect(svc('db', 'backup', file)).toMatchObject({ status: 0, stderr: '' })
  expect(checkDatabase(file)).toBe(SCHEMA_VERSION)
  expect(svc('db', 'backup', file).stderr).toContain('is there already')
  writeFileSync(join(folder, 'key.txt'), 'correct horse battery staple\n')
  expect(svc('workspace', 'create', 'acme')).toMatchObject({ status: 0 })
  const exported = join(share, 'acme.gz')
  const args = ['workspace', 'export', 'acme', exported, '--passphrase-file', 'key.txt']
  expect(svc(...args)).toMatchObject({ status: 0, stderr: '' })
  expect(existsSync(exported)).toBe(true)
  expect(readdirSync(share).sort()).toEqual(['acme.gz', 'svc.db'])
})
