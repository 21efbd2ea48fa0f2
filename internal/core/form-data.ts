/** Multipart forms that were received whole. */

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

/** The boundary of a form's Content-Type. @throws {TypeError} there is none */
export const boundaryOf = (type: string): string => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw new TypeError('The form has no boundary.')
  return boundary
}

/** Throws where the last part has no end (RFC 2046, 5.1.1). */
const checkEnd = (bytes: Uint8Array, type: string): void => {
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.includes(`--${boundaryOf(type)}--`)) throw new TypeError('The form has no end.')
}

/**
 * Reads a form. Deno 2.9.5 reads a form without an end as an empty one, which would lose its fields without an error, so
 * the end is checked first.
 * @param type the value of Content-Type, with its boundary
 * @throws {TypeError} the form is broken or cut short
 */
export const readFormData = async (
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<FormData> => {
  checkEnd(bytes, type)
  return await new Response(bytes, { headers: { 'content-type': type } }).formData()
}
