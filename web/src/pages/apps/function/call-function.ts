/** Calls a function without the reader's session. The response is read as bytes, and shown according to its `Content-Type`. */
export type FunctionRequest = Readonly<{
  /** Relative to this server. */
  path: string
  method: string
  query: string
  body: string
}>

export type FunctionAnswer = Readonly<{
  status: number
  statusText: string
  headers: readonly (readonly [string, string])[]
  type: string
  bytes: Uint8Array
  tookMs: number
}>

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export type HeaderPairs = readonly (readonly [string, string])[]

/** Returns the pairs, or the first line that is not a header. Pure. */
export const readHeaders = (text: string): HeaderPairs | string => {
  const pairs: (readonly [string, string])[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim()
    if (!NAME.test(name)) return line
    pairs.push([name, line.slice(colon + 1).trim()])
  }
  return pairs
}

export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/** @throws {TypeError} the server could not be reached */
export const callFunction = async (
  request: FunctionRequest,
  headers: HeaderPairs,
): Promise<FunctionAnswer> => {
  const query = request.query.replace(/^\?/, '')
  const startedAt = performance.now()
  const response = await fetch(`${request.path}${query === '' ? '' : `?${query}`}`, {
    method: request.method,
    headers: headers.map(([name, value]) => [name, value]),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    ...(takesBody(request.method) && request.body !== '' ? { body: request.body } : {}),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    type: response.headers.get('content-type') ?? '',
    bytes,
    tookMs: performance.now() - startedAt,
  }
}

/** Decodes UTF-8. @returns null if the bytes are not text */
export const textOf = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
