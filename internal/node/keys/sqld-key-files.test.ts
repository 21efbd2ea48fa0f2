import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importSPKI, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeSqldToken } from './sqld-key-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('keeps the key, and writes a public key that is missing again', async () => {
  const first = await makeSqldToken(folder, undefined)
  const publicKey = readFileSync(first.publicKey, 'utf8')
  rmSync(first.publicKey)
  const second = await makeSqldToken(folder, 1)
  expect(readFileSync(second.publicKey, 'utf8')).toBe(publicKey)
  const key = await importSPKI(publicKey, 'EdDSA')
  for (const { token } of [first, second]) {
    expect((await jwtVerify(token, key)).payload).toMatchObject({ a: 'rw' })
  }
})
