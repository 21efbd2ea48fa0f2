import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createAesKeyring, KEY_BYTES } from './aes-keyring.ts'
import { JOB_TOKEN_KEY_PURPOSE, signJobToken, verifyJobToken } from './job-token.ts'

const instanceKey = randomBytes(KEY_BYTES)
const key = createAesKeyring(instanceKey).derivedKey(JOB_TOKEN_KEY_PURPOSE)
const CLAIMS = { job: '019abcde-0000-7000-8000-000000000000', ws: 'w', app: 'a', attempt: 2 }
const NOW = new Date('2026-01-01T00:00:00Z')
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000)
const LIFETIME = { from: NOW, until: later(60) }
const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a job token', () => {
  it('tells its claims again, under the key of the same instance', async () => {
    const text = await signJobToken(key, CLAIMS, LIFETIME)
    const same = createAesKeyring(instanceKey).derivedKey(JOB_TOKEN_KEY_PURPOSE)
    expect(await verifyJobToken(same, text, NOW)).toEqual(CLAIMS)
  })

  it('holds until its time is over, and not a second longer', async () => {
    const text = await signJobToken(key, CLAIMS, LIFETIME)
    expect(await verifyJobToken(key, text, later(59))).toEqual(CLAIMS)
    expect(await verifyJobToken(key, text, later(60))).toBeNull()
  })

  it('is worth nothing under another instance key, or a key for another purpose', async () => {
    const text = await signJobToken(key, CLAIMS, LIFETIME)
    const stranger = createAesKeyring(randomBytes(KEY_BYTES)).derivedKey(JOB_TOKEN_KEY_PURPOSE)
    const otherUse = createAesKeyring(instanceKey).derivedKey('something else')
    expect(await verifyJobToken(stranger, text, NOW)).toBeNull()
    expect(await verifyJobToken(otherUse, text, NOW)).toBeNull()
    expect(await verifyJobToken(instanceKey, text, NOW)).toBeNull()
  })

  it('is refused unsigned, by another algorithm, for another audience, or without an end', async () => {
    const header = { alg: 'HS256', typ: 'svc-job+jwt' }
    const make = (protectedHeader: typeof header, audience: string) =>
      new SignJWT(CLAIMS)
        .setProtectedHeader(protectedHeader)
        .setIssuer('svc')
        .setAudience(audience)
        .setIssuedAt(NOW)
    const endless = await make(header, 'svc:state').sign(key)
    const elsewhere = await make(header, 'svc:api').setExpirationTime(later(60)).sign(key)
    const untyped = await make({ ...header, typ: 'JWT' }, 'svc:state')
      .setExpirationTime(later(60))
      .sign(key)
    const long = await make({ ...header, alg: 'HS512' }, 'svc:state')
      .setExpirationTime(later(60))
      .sign(Buffer.concat([key, key]))
    const [, body = ''] = (await signJobToken(key, CLAIMS, LIFETIME)).split('.')
    const unsigned = `${base64url({ ...header, alg: 'none' })}.${body}.`
    for (const text of [endless, elsewhere, untyped, long, unsigned]) {
      expect(await verifyJobToken(key, text, NOW)).toBeNull()
    }
  })

  it('is refused when a claim is missing or of another type', async () => {
    for (const wrong of [{ job: 'x' }, { attempt: 0 }, { attempt: 1.5 }, { ws: '' }, { app: '' }]) {
      const text = await signJobToken(key, { ...CLAIMS, ...wrong }, LIFETIME)
      expect(await verifyJobToken(key, text, NOW)).toBeNull()
    }
  })

  it('is refused when any character is changed, and reading never throws (property)', async () => {
    const text = await signJobToken(key, CLAIMS, LIFETIME)
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length - 2 }),
        fc.constantFrom('A', '.'),
        async (at, by) => {
          const changed = text.slice(0, at) + by + text.slice(at + 1)
          fc.pre(changed !== text)
          expect(await verifyJobToken(key, changed, NOW)).toBeNull()
        },
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.string(), async (other) => {
        expect(await verifyJobToken(key, other, NOW)).toBeNull()
      }),
    )
  })
})
