/** Multipart forms that were received whole. */

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

type FormText = Readonly<{ text: string; boundary: string }>

/** Throws where the last part has no end (RFC 2046, 5.1.1). */
const toText = (bytes: Uint8Array, type: string): FormText => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  const text = new TextDecoder('latin1').decode(bytes)
  if (boundary === undefined || !text.includes(`--${boundary}--`)) {
    throw new TypeError('The form has no end.')
  }
  return { text, boundary }
}

/** Throws where there are too many parts: each takes 10 µs to read. */
const checkParts = ({ text, boundary }: FormText, maxParts: number): void => {
  const delimiter = `--${boundary}`
  let count = 0
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    count += 1
    // the closing delimiter counts as one more
    if (count > maxParts + 1) throw new TypeError(`The form has more than ${maxParts} parts.`)
  }
}

const parse = (bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> =>
  new Response(bytes, { headers: { 'content-type': type } }).formData()

/**
 * Reads a form. Deno 2.9.5 reads a form without an end as an empty one, which would lose its fields without an error, so
 * the end is checked first.
 * @param type the value of Content-Type, with its boundary
 * @param maxParts limit, checked before the form is parsed. @default any number
 * @throws {TypeError} the form is broken or cut short, or has too many parts
 */
export const readFormData = async (
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  maxParts: number = Number.POSITIVE_INFINITY,
): Promise<FormData> => {
  checkParts(toText(bytes, type), maxParts)
  return await parse(bytes, type)
}

/**
 * Reads a form in pieces, so that the caller can let other work run between them. A file is never cut.
 * @throws {TypeError} those of `readFormData`
 */
export async function* readFormPieces(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  partsPerPiece: number,
): AsyncGenerator<FormData> {
  const { text, boundary } = toText(bytes, type)
  const delimiter = `\r\n--${boundary}\r\n`
  const end = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  let start = 0
  for (let at = 0, parts = 1; ; parts += 1) {
    at = text.indexOf(delimiter, at + 1)
    if (at < 0) break
    if (parts % partsPerPiece !== 0) continue
    const piece = new Uint8Array(at - start + end.length)
    piece.set(bytes.subarray(start, at))
    piece.set(end, at - start)
    yield await parse(piece, type)
    start = at + 2
  }
  yield await parse(bytes.subarray(start), type)
}
