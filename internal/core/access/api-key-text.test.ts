import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { API_KEY_RANDOM_BYTES, formatApiKey, makeApiKeyText, parseApiKey } from './api-key-text.ts'

describe('the text of an API key', () => {
  it('reads back as it was made', () => {
    for (let count = 0; count < 200; count += 1) {
      const key = makeApiKeyText(randomBytes(API_KEY_RANDOM_BYTES))
      expect(parseApiKey(formatApiKey(key))).toEqual(key)
    }
  })

  it('accepts no other text, and reading one never throws (property)', () => {
    const key = formatApiKey(makeApiKeyText(randomBytes(API_KEY_RANDOM_BYTES)))
    for (const wrong of ['', '.', `${key} `, ` ${key}`, `${key}\n`, key.slice(0, -1), `${key}a`]) {
      expect(parseApiKey(wrong)).toBeNull()
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseApiKey(text) === null))
  })
})
