/** The trace that a request belongs to, as its `traceparent` names it (W3C Trace Context, level 1). */

const PARTS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZERO = /^0+$/

/** The ids of a traceparent. */
export type TraceIds = Readonly<{ trace: string; span: string; isSampled: boolean }>

/** @param traceparent as `readTraceparent` returns it */
export const idsOf = (traceparent: string): TraceIds => {
  const [, trace = '', span = '', flags = '00'] = traceparent.split('-')
  return { trace, span, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/**
 * Returns a new span of the same trace, or the first span of a new trace, which is sampled. A sampler may decide
 * otherwise (`withSampled`).
 * @param randomHex returns this many random bytes as lower-case hexadecimal digits
 */
export const childOf = (parent: string | null, randomHex: (bytes: number) => string): string => {
  if (parent === null) return `00-${randomHex(16)}-${randomHex(8)}-01`
  const [version, trace, , flags] = parent.split('-')
  return `${version}-${trace}-${randomHex(8)}-${flags}`
}

/** Returns the same span, sampled or not; other flags stay. */
export const withSampled = (traceparent: string, isSampled: boolean): string => {
  const flags = Number.parseInt(traceparent.slice(-2), 16)
  const set = isSampled ? flags | 1 : flags & ~1
  return `${traceparent.slice(0, -2)}${set.toString(16).padStart(2, '0')}`
}

/** Returns the fields by which a log line names its span, as OpenTelemetry names them; none without a trace. */
export const traceFields = (
  traceparent: string | null,
): Readonly<{ trace_id?: string; span_id?: string }> => {
  if (traceparent === null) return {}
  const { trace, span } = idsOf(traceparent)
  return { trace_id: trace, span_id: span }
}

/** Reads the header from headers as received. One that occurs twice counts as absent. */
export const traceparentOf = (
  headers: readonly (readonly [name: string, value: string])[],
): string | null => {
  const found = headers.filter(([name]) => name.toLowerCase() === 'traceparent')
  return found.length === 1 ? readTraceparent(found[0]?.[1]) : null
}

/**
 * Reads the header.
 * @returns it in the form of version 00; null if it is absent or malformed, which counts as absent
 */
export const readTraceparent = (header: string | undefined): string | null => {
  const [, version = '', trace = '', span = '', flags = '', more] = PARTS.exec(header ?? '') ?? []
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (ZERO.test(trace) || ZERO.test(span)) return null
  return `00-${trace}-${span}-${flags}`
}
