/** Multipart forms that were received whole. */

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

const boundaryOf = (type: string): string | null => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  return quoted ?? plain ?? null
}

/** Throws if the last part has no end (RFC 2046, 5.1.1) or if there are too many parts, each of which takes 10 µs to parse. */
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
    // the closing delimiter counts as one more
    if (count > maxParts + 1) throw new TypeError(`The form has more than ${maxParts} parts.`)
  }
}

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
  checkParts(bytes, type, maxParts)
  return await new Response(bytes, { headers: { 'content-type': type } }).formData()
}
