import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { createAesKeyring, KEY_BYTES } from './aes-keyring.ts'

const instanceKey = randomBytes(KEY_BYTES)
const keyring = createAesKeyring(instanceKey)
const wrapped = keyring.newWrappedKey('w')

describe('the keyring', () => {
  it('decrypts what it encrypted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        const sealed = keyring.encrypt(wrapped, 'w', context, text)
        expect(keyring.decrypt(wrapped, 'w', context, sealed)).toBe(text)
      }),
    )
  })

  it('keeps texts of 4 MiB within what sqld takes as one value, whatever JSON they are', () => {
    const cipher = keyring.scoped(wrapped, 'w', 'flow-run|1')
    const printable = randomBytes(4_194_000).map((byte) => 32 + (byte % 95))
    for (const bytes of [printable, Buffer.from(randomBytes(3_145_728).toString('base64'))]) {
      const text = Buffer.from(bytes).toString('latin1')
      const sealed = cipher.encrypt('c', text)
      expect(sealed.length).toBeLessThan(5_000_000)
      expect(sealed.startsWith('v2.')).toBe(true)
      expect(cipher.decrypt('c', sealed) === text).toBe(true)
      expect(() => cipher.decrypt('other', sealed)).toThrow()
      expect(() => cipher.decrypt('c', sealed.replace('~', ''))).toThrow()
    }
    const letters = '한글'.repeat(700_000)
    expect(cipher.decrypt('c', cipher.encrypt('c', letters)) === letters).toBe(true)
  })

  it('encrypts a text to different bytes each time, without revealing it', () => {
    const one = keyring.encrypt(wrapped, 'w', 'c', 'a text that repeats')
    const other = keyring.encrypt(wrapped, 'w', 'c', 'a text that repeats')
    expect(one).not.toBe(other)
    expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('repeats')
  })

  it('refuses a ciphertext that was moved to another place or workspace', () => {
    const text = keyring.encrypt(wrapped, 'w', 'variables|a', 'secret')
    expect(() => keyring.decrypt(wrapped, 'w', 'variables|b', text)).toThrow()
    expect(() => keyring.decrypt(wrapped, 'other', 'variables|a', text)).toThrow()
    expect(() => keyring.decrypt(keyring.newWrappedKey('w'), 'w', 'variables|a', text)).toThrow()
  })

  it('refuses a wrapped key in another workspace, even when it is cached', () => {
    keyring.encrypt(wrapped, 'w', 'c', 'opens the key')
    expect(() => keyring.encrypt(wrapped, 'other', 'c', 'text')).toThrow()
  })

  it('refuses a ciphertext in which any bit was changed', () => {
    const text = keyring.encrypt(wrapped, 'w', 'c', 'secret')
    const bytes = Buffer.from(text.slice(3), 'base64url')
    fc.assert(
      fc.property(fc.nat({ max: bytes.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(bytes)
        const at = Math.floor(bit / 8)
        changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
        expect(() =>
          keyring.decrypt(wrapped, 'w', 'c', `v1.${changed.toString('base64url')}`),
        ).toThrow()
      }),
    )
    for (const wrong of ['', 'v1.', 'v2.abc', 'v1.AAAA', text.slice(0, -1), text.slice(0, 20)]) {
      expect(() => keyring.decrypt(wrapped, 'w', 'c', wrong)).toThrow()
    }
  })

  it('has a separate cipher for each scope', () => {
    const one = keyring.scoped(wrapped, 'w', 'run-1')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, context) => {
        expect(one.decrypt(context, one.encrypt(context, text))).toBe(text)
      }),
    )
    const text = one.encrypt('a', 'secret')
    expect(one.encrypt('a', 'secret')).not.toBe(text)
    expect(() => one.decrypt('b', text)).toThrow()
    expect(() => keyring.scoped(wrapped, 'w', 'run-2').decrypt('a', text)).toThrow()
    expect(() => keyring.scoped(wrapped, 'other', 'run-1')).toThrow()
    expect(() => keyring.decrypt(wrapped, 'w', 'a', text)).toThrow()
    for (const wrong of [
      '',
      'v1.abc',
      'v2.',
      text.slice(0, -2),
      `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`,
    ]) {
      expect(() => one.decrypt('a', wrong)).toThrow()
    }
    const other = createAesKeyring(instanceKey)
    expect(other.scoped(wrapped, 'w', 'run-1').decrypt('a', text)).toBe('secret')
  })

  it.each([
    ['short', 'ab\uFEFF한'],
    ['long', `\uFEFF${'한글 𝒳y'.repeat(100_000)}`],
    ['deflated', `\uFEFF${'한글 𝒳y'.repeat(400_000)}`],
  ])('decrypts a %s text of a scope in parts as it does at once', async (_, text) => {
    let turns = 0
    const takeTurn = async (): Promise<void> => {
      turns += 1
    }
    const cipher = keyring.scoped(wrapped, 'w', 'run-1')
    const sealed = cipher.encrypt('a', text)
    expect(await cipher.decryptInParts('a', sealed, takeTurn)).toBe(text)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / MIB))
    const other = await cipher.encryptInParts('a', text, takeTurn)
    expect(cipher.decrypt('a', other)).toBe(text)
    expect(other).toHaveLength(sealed.length)
    await expect(cipher.decryptInParts('b', sealed, takeTurn)).rejects.toThrow()
    const changed = `${sealed.slice(0, -8)}AAAA${sealed.slice(-4)}`
    await expect(cipher.decryptInParts('a', changed, takeTurn)).rejects.toThrow()
  })

  it('decrypts nothing under another instance key, and detects that it differs', () => {
    const stranger = createAesKeyring(randomBytes(KEY_BYTES))
    const text = keyring.encrypt(wrapped, 'w', 'c', 'secret')
    expect(() => stranger.decrypt(wrapped, 'w', 'c', text)).toThrow()
    expect(stranger.matches(keyring.checkValue())).toBe(false)
    expect(stranger.matches('')).toBe(false)
    expect(createAesKeyring(instanceKey).matches(keyring.checkValue())).toBe(true)
  })

  it('reveals nothing of the instance key in its check value', () => {
    expect(keyring.checkValue()).not.toContain(instanceKey.toString('base64url').slice(0, 8))
  })
})
