/** Reads multipart forms that were received whole, in pieces, so that a node can do other work between them. */
import { Buffer } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { boundaryOf } from '#core/form-data.ts'

/** Parts of a piece. Each takes 20 µs. */
const MAX_PARTS = 200

const parse = (bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> =>
  new Response(bytes, { headers: { 'content-type': type } }).formData()

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
): AsyncGenerator<FormData> {
  const boundary = boundaryOf(type)
  // a search in bytes takes 2 ms for 10 MB, and to decode them as text 30 ms
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!searched.includes(`--${boundary}--`, 0, 'latin1')) {
    throw new TypeError('The form has no end.')
  }
  const delimiter = Buffer.from(`\r\n--${boundary}\r\n`, 'latin1')
  const end = Buffer.from(`\r\n--${boundary}--\r\n`, 'latin1')
  let start = 0
  let parts = 1
  for (let at = searched.indexOf(delimiter, 1); at >= 0; at = searched.indexOf(delimiter, at + 1)) {
    if (parts === maxParts) throw new RangeError(`The form has more than ${maxParts} parts.`)
    if (parts % MAX_PARTS === 0) {
      const piece = new Uint8Array(at - start + end.length)
      piece.set(bytes.subarray(start, at))
      piece.set(end, at - start)
      yield await parse(piece, type)
      await nextTurn()
      start = at + 2
    }
    parts += 1
  }
  await nextTurn()
  yield await parse(bytes.subarray(start), type)
  await nextTurn()
}
