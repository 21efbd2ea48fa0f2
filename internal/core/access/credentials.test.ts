import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { API_KEY_RANDOM_BYTES, formatApiKey, makeApiKeyText } from './api-key-text.ts'
import {
  CREDENTIAL_KINDS,
  CREDENTIALS,
  type CredentialKind,
  containsCredential,
  kindOfCredential,
  MASK,
  maskCredentials,
  shortenCredentials,
} from './credentials.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from './token-text.ts'

const make = (kind: CredentialKind): string =>
  kind === 'api_key'
    ? formatApiKey(makeApiKeyText(randomBytes(API_KEY_RANDOM_BYTES)))
    : makeTokenText(kind, randomBytes(TOKEN_RANDOM_BYTES)).text

const secretOf = (text: string): string => text.slice(-38)

describe.each(CREDENTIAL_KINDS)('the text of a credential of kind %s', (kind) => {
  const text = make(kind)

  test('is recognized by its prefix', () => {
    expect(text.startsWith(CREDENTIALS[kind].prefix)).toBe(true)
    expect(kindOfCredential(text)).toBe(kind)
  })

  test.each([
    ['a space before it', ` ${text}`],
    ['a line break behind it', `${text}\n`],
    ['a character more', `${text}0`],
    ['a character less', text.slice(0, -1)],
  ])('is not recognized with %s', (_, wrong) => expect(kindOfCredential(wrong)).toBeNull())

  test('is found within other text', () => {
    expect(containsCredential(`a=1; b=${text}; c=2`)).toBe(true)
    expect(containsCredential(`x${text}`)).toBe(false)
  })

  test('is masked in free text, also when its end is cut off', () => {
    expect(maskCredentials(`before ${text} after`)).toBe(`before ${MASK} after`)
    expect(maskCredentials(`cut ${text.slice(0, -10)}`)).toBe(`cut ${MASK}`)
  })

  test('keeps its id and loses its secret in a logged path', () => {
    const shown = shortenCredentials(`/public/${text}/result`)
    const id = text.slice(0, -(CREDENTIALS[kind].form.secretLength + 1))
    expect(shown).toBe(`/public/${id}_…/result`)
  })
})

test('names with underscores are not masked as credentials', () => {
  const text = 'svc_settings_table and svc_sessions_by_email'
  expect(maskCredentials(text)).toBe(text)
})

test('no secret remains in a logged path, whatever surrounds it (property)', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CREDENTIAL_KINDS),
      fc.string({ unit: 'grapheme-ascii' }),
      (kind, around) => {
        const text = make(kind)
        expect(shortenCredentials(`/${around}/${text}/result`)).not.toContain(secretOf(text))
      },
    ),
  )
})

test('prefixes differ, and none is another followed by an id', () => {
  const prefixes = CREDENTIAL_KINDS.map((kind) => CREDENTIALS[kind].prefix)
  expect(new Set(prefixes).size).toBe(prefixes.length)
})
