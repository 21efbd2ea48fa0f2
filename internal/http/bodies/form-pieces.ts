/** Reads multipart forms that were received whole, in pieces, so that a node can do other work between them. */
import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { boundaryOf } from '#core/form-data.ts'

export type FormFile = Readonly<{ name: string; bytes: Uint8Array }>
export type FormEntry = readonly [name: string, value: string | FormFile]

/** Parts of a piece. Each takes 20 µs. */
const MAX_PARTS = 200
/**
 * Bytes of a part from which only its head is parsed. The runtime copies a form five times in one turn of the event loop, which
 * takes 50 ms for 10 MB.
 */
const LARGE_BYTES = 65_536
/** Bytes of the head of a part. */
const MAX_HEAD_BYTES = 16_384
/** Bytes of all heads of a piece. The runtime takes 100 ns for each byte. */
const MAX_HEADS_BYTES = 65_536
const LINE_BREAK = '\r\n'
const END_OF_HEAD = '\r\n\r\n'
const ENCODING = /content-transfer-encoding/i

/** The parser keeps a byte order mark in a text. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

type Part = Readonly<{
  headBytes: number
  /** What is parsed: the whole part, or its head. */
  parsed: Uint8Array
  /** The content, if only the head is parsed. */
  content: Uint8Array | null
}>

/**
 * @param bytes a part with the delimiter before it
 * @param delimiter without its line breaks
 * @throws {TypeError} the head of the part has no end, or is too long
 */
const toPart = (bytes: Buffer, delimiter: string): Part => {
  const head = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(END_OF_HEAD)
  if (head < 0) throw new TypeError('The form has a broken part.')
  const whole = { headBytes: head, parsed: bytes, content: null }
  if (
    bytes.length < LARGE_BYTES ||
    !bytes.subarray(0, delimiter.length).equals(Buffer.from(delimiter, 'latin1'))
  )
    return whole
  // the parser decides what a line is that only begins like a delimiter, and decodes a part that is base64
  if (bytes.includes(`${LINE_BREAK}${delimiter}`, 0, 'latin1')) return whole
  if (ENCODING.test(bytes.toString('latin1', 0, head))) return whole
  const start = head + END_OF_HEAD.length
  return { headBytes: head, parsed: bytes.subarray(0, start), content: bytes.subarray(start) }
}

const toEntry = async (
  [name, value]: readonly [string, string | File],
  { content }: Part,
): Promise<FormEntry> => {
  if (typeof value === 'string') {
    return [name, content === null ? value : DECODER.decode(content)]
  }
  return [name, { name: value.name, bytes: content ?? new Uint8Array(await value.arrayBuffer()) }]
}

/** @param end the last delimiter and what follows it @throws {TypeError} the form is broken */
const parse = async (
  parts: readonly Part[],
  end: Uint8Array,
  type: string,
): Promise<readonly FormEntry[]> => {
  const lines = parts.flatMap(({ parsed }) => [parsed, Buffer.from(LINE_BREAK)])
  const bytes = Buffer.concat([...lines, end])
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const parsed = [...form]
  if (parsed.length !== parts.length) throw new TypeError('The form has a broken part.')
  return Promise.all(parts.map((part, at) => toEntry(parsed[at] ?? ['', ''], part)))
}

/**
 * Yields the parts of a form, some at a time. A file is never cut.
 * @param type the value of Content-Type, with its boundary
 * @param maxParts parts that the form may have
 * @throws {TypeError} the form is broken or cut short
 * @throws {RangeError} it has too many parts
 */
export async function* readFormPieces(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  maxParts: number,
): AsyncGenerator<readonly FormEntry[]> {
  const delimiter = `--${boundaryOf(type)}`
  // a search in bytes takes 2 ms for 10 MB, and to decode them as text 30 ms
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!searched.includes(`${delimiter}--`, 0, 'latin1')) throw new TypeError('The form has no end.')
  const between = Buffer.from(`${LINE_BREAK}${delimiter}${LINE_BREAK}`, 'latin1')
  const end = Buffer.from(`${delimiter}--${LINE_BREAK}`, 'latin1')
  let parts: Part[] = []
  let headsBytes = 0
  let count = 0
  const add = (from: number, until: number): void => {
    if (count === maxParts) throw new RangeError(`The form has more than ${maxParts} parts.`)
    const part = toPart(searched.subarray(from, until), delimiter)
    parts.push(part)
    headsBytes += part.headBytes
    count += 1
  }
  let start = 0
  for (let at = searched.indexOf(between, 1); at >= 0; at = searched.indexOf(between, start)) {
    add(start, at)
    if (parts.length === MAX_PARTS || headsBytes > MAX_HEADS_BYTES) {
      yield await parse(parts, end, type)
      parts = []
      headsBytes = 0
      await nextTurn()
    }
    start = at + LINE_BREAK.length
  }
  await nextTurn()
  const last = searched.indexOf(`${LINE_BREAK}${delimiter}--`, start, 'latin1')
  if (last >= 0) {
    add(start, last)
    start = last + LINE_BREAK.length
  }
  yield await parse(parts, searched.subarray(start), type)
  await nextTurn()
}
