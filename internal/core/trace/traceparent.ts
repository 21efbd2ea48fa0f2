/** The trace that a request belongs to, as its `traceparent` names it (W3C Trace Context, level 1). */

const PARTS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZERO = /^0+$/

/** Reads it of headers as they came; one that occurs twice counts as absent. */
export const traceparentOf = (
  headers: readonly (readonly [name: string, value: string])[],
): string | null => {
  const found = headers.filter(([name]) => name.toLowerCase() === 'traceparent')
  return found.length === 1 ? readTraceparent(found[0]?.[1]) : null
}

/**
 * Reads the header.
 * @returns it in the form of version 00; null: it is absent or malformed, which counts as absent
 */
export const readTraceparent = (header: string | undefined): string | null => {
  const [, version = '', trace = '', span = '', flags = '', more] = PARTS.exec(header ?? '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (ZERO.test(trace) || ZERO.test(span)) return null
  return `00-${trace}-${span}-${flags}`
}
