/**
 * What a webhook's script sees of the request's headers [jobs 11.4]. Header values are bytes that arrive as one character each,
 * so lengths here are bytes.
 */
const DROPPED: readonly string[] = ['authorization', 'cookie', 'proxy-authorization']

const MAX_HEADER_VALUE_BYTES = 1_024
/** Bytes of names and values together. */
const MAX_HEADERS_BYTES = 8_192

/** Returns `X-Github-Event` for `x-github-event`. */
const toCanonicalCase = (name: string): string =>
  name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())

/**
 * Drops credentials, joins the values of one name by commas and cuts them to 1 KiB. In the order received, a header is left out
 * if it would make all of them larger than 8 KiB.
 * @param received name and value as they came; names may repeat
 * @param secretHeader a further header that contains a credential
 */
export const captureHeaders = (
  received: readonly (readonly [name: string, value: string])[],
  secretHeader: string | null = null,
): Readonly<Record<string, string>> => {
  const dropped = secretHeader === null ? DROPPED : [...DROPPED, secretHeader.toLowerCase()]
  const joined = new Map<string, string>()
  for (const [name, value] of received) {
    const key = toCanonicalCase(name)
    if (dropped.includes(key.toLowerCase())) continue
    const before = joined.get(key)
    joined.set(key, before === undefined ? value : `${before},${value}`)
  }
  const kept: [string, string][] = []
  let size = 0
  for (const [name, value] of joined) {
    const cut = value.slice(0, MAX_HEADER_VALUE_BYTES)
    if (size + name.length + cut.length > MAX_HEADERS_BYTES) continue
    size += name.length + cut.length
    kept.push([name, cut])
  }
  return Object.fromEntries(kept)
}
