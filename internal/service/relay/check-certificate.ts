/** Checks an upload: certificate and key in strict base64, of bounded size. The key is never decrypted. */

import { X509Certificate } from 'node:crypto'
import { AppError, type ErrorDetail, invalid } from '#core/error.ts'
import { limit } from '#core/limit.ts'
import { isWholeSequence } from '#core/relay/der.ts'

/** Bytes of each file after decoding, 200 KB [relay 4.3]. */
const MAX_PART_BYTES = limit('relay.file', 204_800, 'bytes', 'Each file of a certificate, decoded.')

export type RelayMaterial = Readonly<{
  /** Both in base64. */
  certDer: string
  certKey: string
}>

type Part = keyof RelayMaterial

const refuse = (part: Part, message: string): AppError => {
  const details: readonly ErrorDetail[] = [{ path: `body.${part}`, message }]
  // without the cause, because a parser's message may quote bytes
  return invalid(message, { code: `bad_${part === 'certDer' ? 'certificate' : 'key'}`, details })
}

/** Decodes strict base64: standard alphabet, padded, no white space; encoding the bytes must give the same text. */
const decode = (part: Part, text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) {
    throw refuse(part, `${part} must be base64 with padding and without white space.`)
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
    // it only has to be readable; the phone decides whether to trust it
    return new X509Certificate(bytes).raw.length === bytes.length
  } catch {
    return false
  }
}

/** Checks an upload. @throws {AppError} invalid: `bad_certificate`, `bad_key`; too_large */
export const checkMaterial = ({ certDer, certKey }: RelayMaterial): void => {
  const certificate = decode('certDer', certDer)
  const key = decode('certKey', certKey)
  if (isPem(certificate)) throw refuse('certDer', 'certDer is PEM text. Send the DER file.')
  if (!isCertificate(certificate)) {
    throw refuse(
      'certDer',
      'certDer is not an X.509 certificate in DER. Send the file signCert.der.',
    )
  }
  if (key.length === 0) throw refuse('certKey', 'certKey is empty. Send the file signPri.key.')
  if (isPem(key)) throw refuse('certKey', 'certKey is PEM text. Send the key file as it is.')
}
