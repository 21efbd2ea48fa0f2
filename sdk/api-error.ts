/** The error of a request that the server refused. */

export type ErrorDetail = Readonly<{ path: string; message: string }>

export type ApiErrorFacts = Readonly<{
  status: number
  code: string
  message: string
  details: readonly ErrorDetail[]
  requestId: string | null
}>

/** A refused request: its HTTP status, its code for programs, and the server's message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** A stable code for programs, for example `not_found`. */
  readonly code: string
  /** The invalid parts of the request; empty when the server names none. */
  readonly details: readonly ErrorDetail[]
  /** The id under which the server logged the request; null when the answer has none. */
  readonly requestId: string | null

  constructor({ status, code, message, details, requestId }: ApiErrorFacts) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const textField = (value: unknown, name: string): string | null => {
  const found = field(value, name)
  return typeof found === 'string' ? found : null
}

const detailsOf = (body: unknown): readonly ErrorDetail[] => {
  const details = field(body, 'details')
  if (!Array.isArray(details)) return []
  return details.map((each: unknown) => ({
    path: textField(each, 'path') ?? '',
    message: textField(each, 'message') ?? '',
  }))
}

/** Reads the error from a response, even if it comes from a proxy and is not JSON. */
export const readError = async (response: Response): Promise<ApiError> => {
  const text = await response.text()
  const body = parse(text)
  return new ApiError({
    status: response.status,
    code: textField(body, 'code') ?? `http_${response.status}`,
    message:
      textField(body, 'error') ?? `The server answered ${response.status}: ${text.slice(0, 300)}`,
    details: detailsOf(body),
    requestId: textField(body, 'request_id') ?? response.headers.get('x-request-id'),
  })
}
