import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEY_BYTES } from './aes-keyring.ts'
import { InstanceKeyError, loadInstanceKey } from './instance-key.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-key-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the instance key', () => {
  it('is created once, readable only by its owner, and loaded again', () => {
    const inside = join(dataDir, 'new', 'folder')
    const made = loadInstanceKey(inside, undefined)
    expect(made).toHaveLength(KEY_BYTES)
    expect(loadInstanceKey(inside, undefined)).toEqual(made)
    expect(statSync(join(inside, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(inside)).toEqual(['secret.key'])
  })

  it('is read from SVC_SECRET_KEY before any file, which is then not written', () => {
    const key = randomBytes(KEY_BYTES)
    expect(Buffer.from(loadInstanceKey(dataDir, key.toString('base64')))).toEqual(key)
    expect(readdirSync(dataDir)).toEqual([])
  })

  it.each([
    ['too short', randomBytes(31).toString('base64')],
    ['too long', randomBytes(33).toString('base64')],
    ['hex', randomBytes(32).toString('hex')],
    ['with a character that is not base64', `${randomBytes(32).toString('base64').slice(0, -1)}!=`],
    ['empty', ''],
  ])('is refused when it is %s, with the command that creates one', (_, text) => {
    expect(() => loadInstanceKey(dataDir, text)).toThrow(InstanceKeyError)
    expect(() => loadInstanceKey(dataDir, text)).toThrow(/openssl rand -base64 32/)
  })

  it('never replaces a damaged file', () => {
    const path = join(dataDir, 'secret.key')
    writeFileSync(path, '')
    expect(() => loadInstanceKey(dataDir, undefined)).toThrow(InstanceKeyError)
    expect(readFileSync(path, 'utf8')).toBe('')
  })
})
