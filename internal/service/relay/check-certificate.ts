/** What may be uploaded: a certificate and its key as bytes in strict base64, of a bounded size. Neither is ever opened. */

import { X509Certificate } from 'node:crypto'
import { AppError, type ErrorDetail, invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { isWholeSequence } from '#core/relay/der.ts'

/** Bytes of each file after decoding, 200 KB [relay 4.3]. */
const MAX_PART_BYTES = limit('relay.file', 204_800, 'bytes', 'Each file of a certificate, decoded.')

export type RelayMaterial = Readonly<{
  /** Base64, both. */
  certDer: string
  certKey: string
}>

type Part = keyof RelayMaterial

const refuse = (part: Part, message: string): AppError => {
  const details: readonly ErrorDetail[] = [{ path: `body.${part}`, message }]
  // without the cause: what a parser says of bytes may show some of them
  return invalid(message, { code: `bad_${part === 'certDer' ? 'certificate' : 'key'}`, details })
}

/** Standard alphabet, padded, without blanks: what it decodes to must encode to the very same text. */
const decode = (part: Part, text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) {
    throw refuse(part, `${part} must be base64 with padding and without blanks or line ends.`)
  }
  if (bytes.length > MAX_PART_BYTES) {
    throw new AppError('too_large', `${part} is larger than ${MAX_PART_BYTES} bytes.`)
  }
  return bytes
}

const PEM = /^\s*-----BEGIN /

const isPem = (bytes: Buffer): boolean => PEM.test(bytes.toString('latin1', 0, 64))

const isCertificate = (bytes: Buffer): boolean => {
  if (!isWholeSequence(bytes)) return false
  try {
    // that it can be read is all that is asked; whether it is trusted is a matter of the phone
    return new X509Certificate(bytes).raw.length === bytes.length
  } catch {
    return false
  }
}

/** @throws {AppError} invalid: `bad_certificate`, `bad_key`; too_large */
export const checkMaterial = ({ certDer, certKey }: RelayMaterial): void => {
  const certificate = decode('certDer', certDer)
  const key = decode('certKey', certKey)
  if (isPem(certificate)) throw refuse('certDer', 'certDer is PEM text. Send the DER file.')
  if (!isCertificate(certificate)) {
    throw refuse('certDer', 'certDer is no X.509 certificate in DER. Send the file signCert.der.')
  }
  if (key.length === 0) throw refuse('certKey', 'certKey is empty. Send the file signPri.key.')
  if (isPem(key)) throw refuse('certKey', 'certKey is PEM text. Send the key file as it is.')
}
