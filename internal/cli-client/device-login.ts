/** The device flow of OAuth (RFC 8628): the server issues a code, and a person confirms it in a browser. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { forbidden, unavailable } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { outlast, type Pause } from './outlast.ts'
import { refusalOf } from './refusal.ts'
import { unreachable } from './unreachable.ts'

const begun = z.looseObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
})
const granted = z.looseObject({ access_token: z.string(), workspace: z.string() })
const refused = z.looseObject({ error: z.string() })

/** Whether the server may answer otherwise in a moment. */
const isPassing = (status: number): boolean => status === 429 || status >= 500

const post = async (endpoint: string, path: string, fields: Readonly<Record<string, string>>) => {
  const body = new URLSearchParams(fields)
  const { status, isOk, text } = await fetch(`${endpoint}${path}`, { method: 'POST', body })
    .then(async (response) => ({
      status: response.status,
      isOk: response.ok,
      text: await response.text(),
    }))
    .catch((cause: unknown) => {
      throw unreachable(endpoint, cause)
    })
  const answer = parseJsonOrNull(text)
  if (answer === null) {
    throw unavailable(`${endpoint} does not answer as svc does. Is it the right address?`)
  }
  if (isPassing(status)) throw refusalOf({ status, text })
  return { isOk, answer }
}

const SLOWER_S = 5
const ENDINGS: Readonly<Record<string, string>> = {
  expired_token: 'The login was not confirmed in time. Run `svc login` again.',
  access_denied: 'The login was denied in the browser.',
}

type Waiting = Readonly<{ endpoint: string; login: z.infer<typeof begun> }>

/**
 * Polls until a person has confirmed. A server that restarts or is busy only delays it.
 * @throws {AppError} the login was denied, or not confirmed in time
 */
export const untilGranted = async ({ endpoint, login }: Waiting, wait: Pause = sleep) => {
  const fields = {
    device_code: login.device_code,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  }
  let intervalS = login.interval
  for (;;) {
    await wait(intervalS * 1_000)
    const { isOk, answer } = await outlast(
      () => post(endpoint, '/api/auth/device/token', fields),
      wait,
    )
    if (isOk) return granted.parse(answer)
    const { error } = refused.parse(answer)
    if (error === 'slow_down') intervalS += SLOWER_S
    else if (error !== 'authorization_pending') {
      throw forbidden(ENDINGS[error] ?? `The server refused: ${error}.`)
    }
  }
}

/** @throws {AppError} unavailable: the server does not support device login, or was not reached */
export const beginLogin = async (endpoint: string): Promise<z.infer<typeof begun>> => {
  const { isOk, answer } = await post(endpoint, '/api/auth/device/code', { client_id: 'svc-cli' })
  const login = begun.safeParse(answer)
  if (isOk && login.success) return login.data
  throw unavailable(`${endpoint} gives no device login. Is it svc?`)
}
