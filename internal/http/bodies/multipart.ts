/** Reads one file from a multipart/form-data body while it arrives (RFC 7578). Only that file is kept, up to the allowed size. */
import { Buffer } from 'node:buffer'
import { MIB } from '#core/byte-units.ts'
import { AppError, invalid } from '#core/error.ts'

export type FileField = Readonly<{
  /** Its name in the form. */
  field: string
  maxBytes: number
  /** Called with the size of each chunk, in bytes, before it is kept; throws to refuse it. */
  onBytes: (count: number) => void
}>

const MULTIPART = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const MAX_HEAD_BYTES = 16_384
const MAX_PARTS = 100
/** Characters of unknown names that the refusal shows. */
const MAX_SHOWN = 200
/** Bytes that a request may have in addition to the file. */
const ENVELOPE_BYTES = 1_048_576
const LINE = Buffer.from('\r\n')
const END_OF_HEAD = Buffer.from('\r\n\r\n')

const malformed = (): AppError =>
  invalid('The multipart body is broken or was cut short.', { code: 'malformed_form' })

const tooMany = (field: string): AppError =>
  invalid(`The form has the field "${field}" more than once. Send one file in each request.`, {
    code: 'malformed_form',
  })

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', `The file is larger than ${maxBytes / MIB} MB.`)

/** Whether a body of this type is a form whose parts have a boundary. */
export const isMultipart = (contentType: string): boolean =>
  /^multipart\/form-data\s*;/i.test(contentType)

/** @throws {AppError} unsupported_media_type */
const boundaryOf = (contentType: string | undefined): string => {
  const [, quoted, plain] = MULTIPART.exec(contentType ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) return boundary
  throw new AppError('unsupported_media_type', 'Send multipart/form-data with a field "file".')
}

/** Builds the error of a form with fields that it does not have. */
export const unknownFormFields = (names: ReadonlySet<string>): AppError => {
  const shown = [...names].join(', ').slice(0, MAX_SHOWN)
  return invalid(`Unknown in the form: ${shown}. Remove it or correct its spelling.`, {
    code: 'unknown_field',
  })
}

/** Explains a field that holds text, such as a file's name: curl sends the file only if its name follows an @. */
export const explainTextForFile = (field: string): string => {
  const shown = field.slice(0, MAX_SHOWN)
  return `The field "${shown}" holds text and no file. With curl, write @ before the name of the file: -F "${shown}=@<file>".`
}

type Scanner = Readonly<{
  /** Passes the bytes before the mark to `take`, piece by piece, and skips the mark. False if the body ends without it. */
  until: (mark: Buffer, take: (bytes: Buffer) => void) => Promise<boolean>
}>

type NextChunk = () => Promise<Uint8Array | null>

const createScanner = (nextChunk: NextChunk, first: Buffer): Scanner => {
  let held = first
  const more = async (): Promise<boolean> => {
    const chunk = await nextChunk()
    if (chunk === null) return false
    held = Buffer.concat([held, chunk])
    return true
  }
  const drop = (count: number): Buffer => {
    const dropped = held.subarray(0, count)
    held = held.subarray(count)
    return dropped
  }
  return {
    until: async (mark, take) => {
      for (;;) {
        const at = held.indexOf(mark)
        if (at >= 0) {
          take(drop(at))
          drop(mark.length)
          return true
        }
        // the mark may begin at the end of the bytes read so far
        const sure = held.length - mark.length + 1
        if (sure > 0) take(drop(sure))
        if (!(await more())) return false
      }
    },
  }
}

const collect = (maxBytes: number): { take: (bytes: Buffer) => void; text: () => string } => {
  const parts: Buffer[] = []
  let length = 0
  return {
    take: (bytes) => {
      length += bytes.length
      if (length > maxBytes) throw malformed()
      parts.push(bytes)
    },
    text: () => Buffer.concat(parts).toString('utf8'),
  }
}

const NAME = /^content-disposition:\s*form-data\s*;(?:.*;)?\s*name=(?:"([^"]*)"|([^\s;"]+))/im

const FILE_NAME = /^content-disposition:.*;\s*filename\*?=/im

const nameOf = (head: string): string | null => {
  const [, quoted, plain] = NAME.exec(head) ?? []
  return quoted ?? plain ?? null
}

/**
 * Counts the bytes that arrive, so that discarded parts are limited, too. A body that is refused midway is left unread:
 * cancelling it would close the connection before the refusal is sent.
 */
const countChunks = (body: ReadableStream<Uint8Array>, maxBytes: number): NextChunk => {
  const reader = body.getReader()
  let length = 0
  return async () => {
    const { value } = await reader.read()
    length += value?.length ?? 0
    if (length > maxBytes + ENVELOPE_BYTES) throw tooLarge(maxBytes)
    return value ?? null
  }
}

/** The header lines between a delimiter and the body of its part. Null after the last part. */
const readHead = async ({ until }: Scanner): Promise<string | null> => {
  const line = collect(MAX_HEAD_BYTES)
  const hasLine = await until(LINE, line.take)
  if (line.text().startsWith('--')) return null
  const head = collect(MAX_HEAD_BYTES)
  if (!hasLine || !(await until(END_OF_HEAD, head.take))) throw malformed()
  return head.text()
}

export type SentFile = Readonly<{
  parts: readonly Uint8Array[]
  /** Whether the part has no file name, as that of a text has. Some clients send files so, too. */
  isUnnamed: boolean
}>

const readParts = async (
  scanner: Scanner,
  delimiter: Buffer,
  { field, maxBytes, onBytes }: FileField,
): Promise<SentFile | null> => {
  let file: SentFile | null = null
  const unknown = new Set<string>()
  let kept = 0
  if (!(await scanner.until(delimiter, () => undefined))) throw malformed()
  for (let count = 0; count < MAX_PARTS; count += 1) {
    const head = await readHead(scanner)
    if (head === null) {
      if (file !== null && unknown.size > 0) throw unknownFormFields(unknown)
      return file
    }
    const name = nameOf(head)
    if (name === field && file !== null) throw tooMany(field)
    if (name !== null && name !== field) unknown.add(name)
    const pieces: Buffer[] | null = name === field ? [] : null
    const take = (bytes: Buffer): void => {
      if (pieces === null || bytes.length === 0) return
      kept += bytes.length
      if (kept > maxBytes) throw tooLarge(maxBytes)
      onBytes(bytes.length)
      pieces.push(bytes)
    }
    if (!(await scanner.until(delimiter, take))) throw malformed()
    if (pieces !== null) file = { parts: pieces, isUnnamed: !FILE_NAME.test(head) }
  }
  throw malformed()
}

export type FormBody = Readonly<{
  body: ReadableStream<Uint8Array> | null
  header: (name: string) => string | undefined
}>

/**
 * The file with that name, in pieces, or null if there is none.
 * @throws {AppError} unsupported_media_type, too_large, invalid; any error of `onBytes`
 */
export const readFormFile = async (
  { body, header }: FormBody,
  field: FileField,
): Promise<SentFile | null> => {
  const length = header('content-length')
  if (body === null || length === '0') return null
  if (header('content-encoding') !== undefined) {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
  }
  const delimiter = Buffer.from(`\r\n--${boundaryOf(header('content-type'))}`)
  if (Number(length ?? 0) > field.maxBytes + ENVELOPE_BYTES) throw tooLarge(field.maxBytes)
  // the first delimiter need not follow a line break
  const scanner = createScanner(countChunks(body, field.maxBytes), LINE)
  return readParts(scanner, delimiter, field)
}
