/** Commands that root runs before the user of a service has started a node. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { giveAway } from '../support/other-owner.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-owner-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('the owner of the data directory owns the database and the keys that they make in it', () => {
  const owner = giveAway(dataDir)
  const [program = '', ...first] = PROGRAM
  for (const command of ['workspace create acme', 'keys sqld-jwt']) {
    const args = [...first, ...command.split(' '), '--data-dir', dataDir]
    expect(spawnSync(program, args, { env: CHILD_ENV })).toMatchObject({ status: 0 })
  }
  const files = readdirSync(dataDir).sort()
  expect(files).toEqual(['secret.key', 'sqld-jwt.key', 'sqld-jwt.pem', 'svc.db'])
  for (const file of files) expect([file, statSync(join(dataDir, file)).uid]).toEqual([file, owner])
})
