/**
 * The text of a credential [access 1.3]: kind, 8 prefix characters, `_`, 32 random base62 characters and 6 checksum
 * characters. A mistyped text fails its checksum and is refused without a query.
 */
import { CREDENTIALS, type CredentialKind, kindOfCredential, TOKEN_FORM } from './credentials.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Kinds whose texts have this form; an API key has its own (api-key-text.ts). */
export type TokenKind = Exclude<CredentialKind, 'api_key'>

const CHECKSUM_LENGTH = 6
const PREFIX_LENGTH = TOKEN_FORM.idLength
const RANDOM_LENGTH = TOKEN_FORM.secretLength - CHECKSUM_LENGTH

/** Random bytes for one token: three for each character, because biased bytes are rejected. */
export const TOKEN_RANDOM_BYTES = (PREFIX_LENGTH + RANDOM_LENGTH) * 3

export type TokenText = Readonly<{ kind: TokenKind; prefix: string; text: string }>

const CRC_TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

/** CRC-32 (IEEE) of ASCII text. */
export const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (crc >>> 8)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const checksum = (text: string): string => {
  let value = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62.charAt(value % 62) + digits
    value = Math.floor(value / 62)
  }
  return digits
}

/** Rejects bytes from 62 * 4 = 248 on, which would make some characters likelier than others. */
export const toBase62 = (bytes: Uint8Array, length: number): string => {
  let text = ''
  for (const byte of bytes) {
    if (byte >= 248) continue
    text += BASE62.charAt(byte % 62)
    if (text.length === length) return text
  }
  throw new Error('Too few random bytes for a token.')
}

/** @param random TOKEN_RANDOM_BYTES bytes of a cryptographic source */
export const makeTokenText = (kind: TokenKind, random: Uint8Array): TokenText => {
  const characters = toBase62(random, PREFIX_LENGTH + RANDOM_LENGTH)
  const prefix = characters.slice(0, PREFIX_LENGTH)
  const body = `${CREDENTIALS[kind].prefix}${prefix}_${characters.slice(PREFIX_LENGTH)}`
  return { kind, prefix, text: body + checksum(body) }
}

/** @returns null if the text is not a token, or its checksum is wrong */
export const parseTokenText = (text: string): TokenText | null => {
  const kind = kindOfCredential(text)
  if (kind === null || kind === 'api_key') return null
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null
  const start = CREDENTIALS[kind].prefix.length
  return { kind, prefix: text.slice(start, start + PREFIX_LENGTH), text }
}
