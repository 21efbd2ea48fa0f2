import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { expect, test } from 'vitest'
import { openSession } from './session.ts'

const ADDRESS = { scheme: 'ssh', text: 'ssh://x/y', host: 'x', port: null } as const
const listFolders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`))

test('a session whose files cannot be written leaves no folder', () => {
  const before = listFolders()
  const auth = {
    type: 'ssh_key',
    get private_key(): string {
      throw new Error('ENOSPC: no space left on device, write')
    },
  } as const
  const open = () => openSession({ address: ADDRESS, auth, pin: null, environment: {} })
  expect(open).toThrow('ENOSPC')
  expect(listFolders()).toEqual(before)
})
