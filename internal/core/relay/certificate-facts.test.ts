import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CERT_DER, CERT_KEY } from '../../../test/support/certificate.ts'
import { readCertificateFacts } from './certificate-facts.ts'
import { isWholeSequence } from './der.ts'

const certificate = new Uint8Array(Buffer.from(CERT_DER, 'base64'))
const key = new Uint8Array(Buffer.from(CERT_KEY, 'base64'))

describe('a certificate', () => {
  it('shows whose it is, as node:crypto reads it', () => {
    const theirs = new X509Certificate(certificate)
    const facts = readCertificateFacts(certificate)
    expect(facts).toEqual({
      subject: 'cn=홍길동()0020049201001011234567890, ou=personalB, o=yessign, c=kr',
      issuer: 'cn=홍길동()0020049201001011234567890, ou=personalB, o=yessign, c=kr',
      validFrom: Date.parse(theirs.validFrom),
      validUntil: Date.parse(theirs.validTo),
    })
  })

  it('is not what a key, a text, or a piece of one is', () => {
    const others = [
      key,
      new Uint8Array(),
      certificate.subarray(0, -1),
      certificate.subarray(4),
      new Uint8Array([...certificate, 0]),
      new TextEncoder().encode('-----BEGIN CERTIFICATE-----'),
    ]
    for (const bytes of others) expect(readCertificateFacts(bytes)).toBeNull()
  })

  it('that was changed anywhere is read or refused, and never breaks the reader', () => {
    const change = fc.tuple(fc.nat(certificate.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), (changes) => {
        const bytes = certificate.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        readCertificateFacts(bytes)
      }),
    )
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readCertificateFacts(bytes)))
  })
})

describe('a whole sequence', () => {
  it.each([
    ['an empty one', [0x30, 0x00], true],
    ['with content', [0x30, 0x02, 0x05, 0x00], true],
    ['of 128 bytes', [0x30, 0x81, 0x80, ...Array<number>(128).fill(0)], true],
    ['followed by something', [0x30, 0x00, 0x00], false],
    ['cut short', [0x30, 0x02, 0x05], false],
    ['of unknown length (BER)', [0x30, 0x80, 0x00, 0x00], false],
    ['with a long form where the short one does', [0x30, 0x81, 0x02, 0x05, 0x00], false],
    [
      'with a zero before its length',
      [0x30, 0x82, 0x00, 0x80, ...Array<number>(128).fill(0)],
      false,
    ],
    ['of more than can be', [0x30, 0x85, 1, 1, 1, 1, 1], false],
    ['of another kind', [0x31, 0x00], false],
    ['nothing', [], false],
  ])('%s', (_, bytes, expected) => {
    expect(isWholeSequence(new Uint8Array(bytes))).toBe(expected)
  })
})
