/** Reads the responses of S3, which are small XML documents without attributes that matter. */

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })

/** Returns the texts of all elements of a name, at any depth. */
export const elementsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    decode(text ?? ''),
  )

/** Returns the text of the first element of a name, or null. */
export const elementOf = (xml: string, name: string): string | null =>
  elementsOf(xml, name)[0] ?? null

/** Returns the body that completes an upload of several parts. @param etags of the parts, in order */
export const completionOf = (etags: readonly string[]): string => {
  const parts = etags.map((etag, index) => {
    const escaped = etag.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    return `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped}</ETag></Part>`
  })
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}
