import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CREDENTIALS } from './credentials.ts'
import {
  crc32,
  makeTokenText,
  parseTokenText,
  TOKEN_RANDOM_BYTES,
  type TokenKind,
} from './token-text.ts'

const KINDS: readonly TokenKind[] = ['api_token', 'customer_key', 'view_token', 'flow_link']
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'

/** Leaves out bytes that are rejected: a few in a million draws contain too many of them, which the maker refuses. */
const random = fc.uint8Array({
  minLength: TOKEN_RANDOM_BYTES,
  maxLength: TOKEN_RANDOM_BYTES,
  max: 247,
})
const token = fc
  .tuple(fc.constantFrom(...KINDS), random)
  .map(([kind, bytes]) => makeTokenText(kind, bytes))

describe('a token text', () => {
  it('is read back as the kind and prefix that it was made with', () => {
    fc.assert(
      fc.property(token, (made) => {
        expect(parseTokenText(made.text)).toEqual(made)
        expect(made.text).toMatch(/^svc[kvl]?_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
        expect(made.text.startsWith(`${CREDENTIALS[made.kind].prefix}${made.prefix}_`)).toBe(true)
      }),
    )
  })

  it('is refused when any one character is another', () => {
    const position = fc.nat({ max: 1_000 })
    const character = fc.constantFrom(...ALPHABET)
    fc.assert(
      fc.property(token, position, character, ({ text }, at, other) => {
        const index = at % text.length
        fc.pre(text[index] !== other)
        expect(parseTokenText(text.slice(0, index) + other + text.slice(index + 1))).toBeNull()
      }),
    )
  })

  it('is refused when two neighbours are swapped', () => {
    fc.assert(
      fc.property(token, fc.nat({ max: 1_000 }), ({ text }, at) => {
        const index = at % (text.length - 1)
        const [left = '', right = ''] = text.slice(index, index + 2)
        fc.pre(left !== right)
        const swapped = text.slice(0, index) + right + left + text.slice(index + 2)
        expect(parseTokenText(swapped)).toBeNull()
      }),
    )
  })

  it('is refused when it is cut, padded or of another kind', () => {
    fc.assert(
      fc.property(token, ({ text }) => {
        for (const wrong of [
          text.slice(1),
          text.slice(0, -1),
          ` ${text}`,
          `${text}\n`,
          `${text}0`,
        ]) {
          expect(parseTokenText(wrong)).toBeNull()
        }
        expect(parseTokenText(text.replace(/^svc[kvl]?_/, 'svcx_'))).toBeNull()
      }),
    )
  })

  it('is never found in what is none, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        expect(parseTokenText(text)).toBeNull()
      }),
    )
  })

  it('skips the random bytes that would favour some characters', () => {
    const biased = new Uint8Array(TOKEN_RANDOM_BYTES).fill(255)
    biased.set(new Uint8Array(40).fill(61), TOKEN_RANDOM_BYTES - 40)
    expect(makeTokenText('api_token', biased).prefix).toBe('zzzzzzzz')
    expect(() => makeTokenText('api_token', new Uint8Array(TOKEN_RANDOM_BYTES).fill(255))).toThrow(
      /Too few random bytes/,
    )
  })

  it('uses the CRC-32 of IEEE 802.3', () => {
    expect(crc32('')).toBe(0)
    expect(crc32('123456789')).toBe(0xcbf43926)
  })
})
