/**
 * What a person recognizes a certificate by: its owner, its issuer and its validity. It is parsed by hand, because the upload
 * page does so in the browser, without a library. The server decides whether the certificate is sound.
 */
import { type DerElement, isWholeSequence, listDer, readDer, SEQUENCE } from './der.ts'

export type CertificateFacts = Readonly<{
  /** `cn=…, ou=…, o=…, c=…`, the name first, as Korean certificates are written. */
  subject: string
  issuer: string
  /** Milliseconds since 1970. */
  validFrom: number
  validUntil: number
}>

const SET = 0x31
const OBJECT_ID = 0x06
const VERSION = 0xa0
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18

/** Object ids by their bytes in hexadecimal. */
const NAMES: Readonly<Record<string, string>> = {
  '550403': 'cn',
  '550405': 'serialNumber',
  '550406': 'c',
  '550407': 'l',
  '550408': 'st',
  '55040a': 'o',
  '55040b': 'ou',
  '2a864886f70d010901': 'email',
  '0992268993f22c640119': 'dc',
}

/** By tag: UTF8String, PrintableString, T61String, IA5String, BMPString. */
const TEXTS: Readonly<Record<number, string>> = {
  12: 'utf-8',
  19: 'utf-8',
  20: 'latin1',
  22: 'utf-8',
  30: 'utf-16be',
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const readAttribute = ({ content }: DerElement): string | null => {
  const [type, value] = listDer(content) ?? []
  if (type?.tag !== OBJECT_ID || value === undefined) return null
  const encoding = TEXTS[value.tag]
  const name = NAMES[toHex(type.content)]
  if (encoding === undefined || name === undefined) return null
  return `${name}=${new TextDecoder(encoding).decode(value.content)}`
}

/** Reads a name, which is a sequence of sets of attributes, from the country down. */
const readName = (name: DerElement | undefined): string | null => {
  if (name?.tag !== SEQUENCE) return null
  const sets = listDer(name.content)?.filter(({ tag }) => tag === SET)
  const attributes = sets?.flatMap(({ content }) => (listDer(content) ?? []).map(readAttribute))
  return (
    attributes
      ?.filter((text) => text !== null)
      .toReversed()
      .join(', ') ?? null
  )
}

const CENTURY = 50

const readTime = (time: DerElement | undefined): number | null => {
  if (time?.tag !== UTC_TIME && time?.tag !== GENERALIZED_TIME) return null
  const text = new TextDecoder().decode(time.content)
  const short = Number(text.slice(0, 2))
  const full = time.tag === UTC_TIME ? `${short < CENTURY ? '20' : '19'}${text}` : text
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? []
  if (year === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? null : at
}

/** @returns null if the bytes are not a certificate in DER */
export const readCertificateFacts = (bytes: Uint8Array): CertificateFacts | null => {
  if (!isWholeSequence(bytes)) return null
  const [signed] = listDer(readDer(bytes)?.content ?? bytes) ?? []
  const fields = signed?.tag === SEQUENCE ? listDer(signed.content) : null
  if (fields === null) return null
  // serial number, signature algorithm, issuer, validity, subject; a version may precede them
  const [, , issuerName, validity, subjectName] =
    fields[0]?.tag === VERSION ? fields.slice(1) : fields
  const [from, until] = validity?.tag === SEQUENCE ? (listDer(validity.content) ?? []) : []
  const subject = readName(subjectName)
  const issuer = readName(issuerName)
  const validFrom = readTime(from)
  const validUntil = readTime(until)
  if (subject === null || issuer === null || validFrom === null || validUntil === null) return null
  return { subject, issuer, validFrom, validUntil }
}
