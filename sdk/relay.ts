/**
 * `@svc/sdk/relay`: the phone's part of the certificate relay. It opens a session, whose code the user enters on the
 * desktop page /certificates, and waits for the upload.
 *
 *     const relay = createRelay({ url: 'https://svc.example.com', apiKey })
 *     const session = await relay.createSession()
 *     show(session.code)
 *     const result = await session.waitForImport()
 *     if (result.kind === 'success') install(result.certDer, result.certKey)
 *
 * It has no dependencies and no side effects at import.
 */

export type RelayOptions = Readonly<{
  /** Address of the server, without a path. */
  url: string
  /** `keyId.secret`, from the console. */
  apiKey: string
  /** @default the global `fetch` */
  fetch?: typeof fetch
}>

export type ImportResult =
  | Readonly<{
      kind: 'success'
      certId: string
      /** X.509 in DER, in base64. */
      certDer: string
      /** The private key as uploaded, in base64. */
      certKey: string
    }>
  | Readonly<{ kind: 'expired' }>
  | Readonly<{ kind: 'cancelled' }>

export type RelaySession = Readonly<{
  certId: string
  /** Six digits, which the user enters on the desktop. */
  code: string
  /** When the session ends, RFC 3339. */
  expiresAt: string
  /**
   * Resolves when the certificate was uploaded or the session has ended. The server then deletes the certificate, so call
   * this once and install the result. Network failures are retried for some minutes.
   * @throws {RelayError} the key was refused, or another call has received the certificate
   * @throws the signal's reason if it aborts
   */
  waitForImport: (options?: Readonly<{ signal?: AbortSignal }>) => Promise<ImportResult>
  /** Ends the session and overwrites the upload. Does nothing if the session has ended. @throws {RelayError} */
  cancel: () => Promise<void>
}>

export type Relay = Readonly<{
  /** @throws {RelayError} */
  createSession: () => Promise<RelaySession>
}>

/** A refusal of the server, or a failure to reach it. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** The server's code, for example `invalid_api_key`. */
  readonly code: string
  constructor(message: string, { status, code, cause }: RelayErrorFacts) {
    super(message, { cause })
    this.status = status
    this.code = code
  }
}
type RelayErrorFacts = Readonly<{ status: number; code: string; cause?: unknown }>

const WAIT_S = 25
/** Milliseconds; longer than the server needs for any response. */
const ANSWER_WITHIN_MS = 45_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** Consecutive failures; a phone may be offline for some minutes. */
const MAX_FAILURES = 30

type Answer = Readonly<{ status: number; field: (name: string) => string }>
type Call = (method: string, path: string, signal?: AbortSignal) => Promise<Answer>

/** @throws {Error} a response that is not a refusal has no complete JSON body */
const toAnswer = async (response: Response): Promise<Answer> => {
  const json: Promise<unknown> = response.json()
  // a proxy refuses with a page of its own
  const body = await (response.ok ? json : json.catch(() => null))
  const fields = new Map<string, unknown>(Object.entries(body ?? {}))
  return { status: response.status, field: (name) => String(fields.get(name) ?? '') }
}

const createCall = ({ url, apiKey, fetch: given = fetch }: RelayOptions): Call => {
  const base = url.replace(/\/+$/, '')
  return async (method, path, signal) => {
    const limit = AbortSignal.timeout(ANSWER_WITHIN_MS)
    try {
      const response = await given(`${base}/v2/certificates/session${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}` },
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      return await toAnswer(response)
    } catch (cause) {
      signal?.throwIfAborted()
      throw new RelayError(`${base} does not answer.`, { status: 0, code: 'unreachable', cause })
    }
  }
}

const refused = ({ status, field }: Answer): RelayError =>
  new RelayError(field('error') || `The server answered ${status}.`, {
    status,
    code: field('code'),
  })

/** Returns whether a retry may succeed. */
const isRetryable = (status: number): boolean => status === 0 || status === 429 || status >= 500

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })

/** Returns null if nothing was uploaded yet. @throws {RelayError} */
const toResult = (answer: Answer): ImportResult | null => {
  const { status, field } = answer
  if (status === 202) return null
  if (status === 200) {
    const [certId, certDer, certKey] = [field('certId'), field('certDer'), field('certKey')]
    return { kind: 'success', certId, certDer, certKey }
  }
  if (status === 410 && field('status') === 'expired') return { kind: 'expired' }
  if (status === 410 && field('status') === 'cancelled') return { kind: 'cancelled' }
  throw refused(answer)
}

const waitForImport = async (
  call: Call,
  certId: string,
  signal: AbortSignal | undefined,
): Promise<ImportResult> => {
  for (let failures = 0; ; ) {
    signal?.throwIfAborted()
    try {
      const result = toResult(await call('GET', `/${certId}?wait_s=${WAIT_S}`, signal))
      if (result !== null) return result
      failures = 0
    } catch (error) {
      failures += 1
      const mayRetry = error instanceof RelayError && isRetryable(error.status)
      if (!mayRetry || failures >= MAX_FAILURES) throw error
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal)
    }
  }
}

/** Creates a client for the relay of one server. */
export const createRelay = (options: RelayOptions): Relay => {
  const call = createCall(options)
  return {
    createSession: async () => {
      const answer = await call('POST', '')
      if (answer.status !== 201) throw refused(answer)
      const certId = answer.field('certId')
      return {
        certId,
        code: answer.field('code'),
        expiresAt: answer.field('expiresAt'),
        waitForImport: ({ signal } = {}) => waitForImport(call, certId, signal),
        cancel: async () => {
          const ended = await call('DELETE', `/${certId}`)
          if (ended.status !== 200 && ended.status !== 410) throw refused(ended)
        },
      }
    },
  }
}
