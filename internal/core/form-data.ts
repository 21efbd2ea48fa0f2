/** Multipart forms that were received whole. */

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

const boundaryOf = (type: string): string | null => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  return quoted ?? plain ?? null
}

/** Throws where the last part has no end (RFC 2046, 5.1.1), or where there are too many: each takes 10 µs to read. */
const checkParts = (bytes: Uint8Array, type: string, maxParts: number): void => {
  const boundary = boundaryOf(type)
  const text = new TextDecoder('latin1').decode(bytes)
  if (boundary === null || !text.includes(`--${boundary}--`)) {
    throw new TypeError('The form has no end.')
  }
  const delimiter = `--${boundary}`
  let count = 0
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    count += 1
    // the end is one more
    if (count > maxParts + 1) throw new TypeError(`The form has more than ${maxParts} parts.`)
  }
}

/**
 * Reads a form. Deno 2.9.5 reads a form without an end as an empty one, which would lose its fields without an error, so
 * the end is checked first.
 * @param type the value of Content-Type, with its boundary
 * @param maxParts more are refused before they are read. @default any number
 * @throws {TypeError} the form is broken or was cut short, or has too many parts
 */
export const readFormData = async (
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  maxParts: number = Number.POSITIVE_INFINITY,
): Promise<FormData> => {
  checkParts(bytes, type, maxParts)
  return await new Response(bytes, { headers: { 'content-type': type } }).formData()
}
