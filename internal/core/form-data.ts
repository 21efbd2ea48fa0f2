/** Multipart forms that were received whole. */

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i

/** Whether the last part of the form has its end (RFC 2046, 5.1.1). */
const hasEnd = (bytes: Uint8Array, type: string): boolean => {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  return (
    boundary !== undefined && new TextDecoder('latin1').decode(bytes).includes(`--${boundary}--`)
  )
}

/**
 * Reads a form. Deno 2.9.5 reads a form without an end as an empty one, which would lose its fields without an error, so
 * the end is checked first.
 * @param type the value of Content-Type, with its boundary
 * @throws {TypeError} the form is broken or was cut short
 */
export const readFormData = async (
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
): Promise<FormData> => {
  if (!hasEnd(bytes, type)) throw new TypeError('The form has no end.')
  return await new Response(bytes, { headers: { 'content-type': type } }).formData()
}
