/** The paths of `svc dev` other than functions: deliveries to the folder's webhooks, and events [functions 14.6, 14.7]. */
import QuickLRU from 'quick-lru'
import { AppError, invalid, notFound } from '#core/error.ts'
import { eventFields } from '#core/event/event.ts'
import { explainIssue } from '#core/explain-issue.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { SECOND_MS } from '#core/time-units.ts'
import { toWebhookBody } from '#core/webhook/body.ts'
import { targetOf, type WebhookDefinition } from '#core/webhook/definition.ts'
import { captureHeaders } from '#core/webhook/headers.ts'
import type { Delivery } from '#core/webhook/scheme.ts'
import { schemeOf, secretKeysOf } from '#core/webhook/schemes.ts'
import { verifyDelivery } from '#core/webhook/verify.ts'
import { orAfter } from '#service/or-after.ts'
import { dedupeValue } from '#service/webhooks/dedupe-value.ts'
import { deliveryInput } from '#service/webhooks/delivery-input.ts'
import type { DevApp, DevAppParts } from './dev-app.ts'
import type { LocalBegun } from './local-starts.ts'

export type DevRequest = Readonly<{
  method: string
  url: URL
  /** As received: names in any case, repeated ones as separate entries. */
  headers: readonly (readonly [name: string, value: string])[]
  /** @throws {AppError} too_large */
  readBody: () => Promise<Uint8Array>
}>

export type DevAnswer = Readonly<{
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** Shown to the person at the terminal. */
  note?: string
}>

/** The workspace in the paths of a local server. */
const DEV_WORKSPACE = 'dev'
/** Number of deliveries that are remembered to find repeated ones. */
const MOST_DELIVERIES = 1_000

export const hookPath = (app: string, key: string): string => `/hook/${DEV_WORKSPACE}/${app}/${key}`
const EVENTS_PATH = `/api/w/${DEV_WORKSPACE}/events`

/** The variables of a webhook that are missing in `.env`; empty if one of them is set, since any of them may verify. */
export const missingSecrets = (
  { verify }: WebhookDefinition,
  variables: Readonly<Record<string, string>>,
): readonly string[] => {
  const keys = secretKeysOf(verify)
  return keys.some((key) => (variables[key] ?? '') !== '') ? [] : keys
}

const refuseMethod = (): DevAnswer => ({
  status: 405,
  headers: { allow: 'POST' },
  body: { error: 'This address takes POST.', code: 'method_not_allowed' },
})

type Started = Readonly<{ job_id: string } | { flow_run_id: string }>

type Known = QuickLRU<string, Started>

/** @throws {AppError} unauthenticated `bad_signature`; unlike a server, it names the cause */
const check = async (
  definition: WebhookDefinition,
  delivery: Delivery,
  variables: Readonly<Record<string, string>>,
): Promise<void> => {
  const known = new Map(Object.entries(variables))
  const verdict = await verifyDelivery(definition.verify, delivery, known)
  if (verdict.ok) return
  const message = `The signature of the request does not fit this webhook: ${verdict.reason}.`
  throw new AppError('unauthenticated', message, { code: 'bad_signature' })
}

const toDelivery = async ({ url, headers, readBody }: DevRequest): Promise<Delivery> => {
  const named = new Headers()
  for (const [name, value] of headers) named.append(name, value)
  return {
    body: new Uint8Array(await readBody()),
    header: (name) => named.get(name) ?? undefined,
    query: (name) => url.searchParams.get(name) ?? undefined,
    receivedAt: Date.now(),
  }
}

const startDelivery = async (
  { starts }: DevAppParts,
  definition: WebhookDefinition,
  { delivery, headers }: Readonly<{ delivery: Delivery; headers: DevRequest['headers'] }>,
): Promise<Readonly<{ started: Started; ended: LocalBegun['ended'] }>> => {
  const body = toWebhookBody(delivery.body)
  const { input } = await deliveryInput(definition, body)
  const target = targetOf(definition)
  const { secretHeader } = schemeOf(definition.verify)
  const shown = captureHeaders(headers, secretHeader)
  const trigger = {
    kind: 'webhook',
    raw: body.text,
    encoding: body.encoding,
    headers: shown,
  } as const
  const { id, ended } = await starts.begin(target, input, trigger)
  return { started: target.kind === 'flow' ? { flow_run_id: id } : { job_id: id }, ended }
}

const answerInTime = async (
  started: Started,
  ended: LocalBegun['ended'],
  { respond }: WebhookDefinition,
): Promise<DevAnswer> => {
  const outcome =
    respond === undefined ? null : await orAfter(ended, respond.waitS * SECOND_MS, null)
  if (outcome === null) return { status: 202, body: started }
  if (outcome.kind === 'success') return { status: 200, body: outcome.value }
  const error = 'The job of this webhook failed.'
  return { status: 502, body: { error, code: 'job_failed', ...started } }
}

const deliver = async (
  parts: DevAppParts,
  definition: WebhookDefinition,
  { request, known }: Readonly<{ request: DevRequest; known: Known }>,
): Promise<DevAnswer> => {
  const delivery = await toDelivery(request)
  const missing = missingSecrets(definition, parts.variables)
  if (missing.length === 0) await check(definition, delivery, parts.variables)
  const note = missing.length === 0 ? {} : { note: unverified(missing) }
  const challenge = schemeOf(definition.verify).challenge(delivery)
  if (challenge !== null) return { status: 200, body: { challenge }, ...note }
  const { key, dedupe } = definition
  const value = dedupe === undefined ? null : await dedupeValue(dedupe, delivery)
  const name = `${key} ${value}`
  const first = value === null ? undefined : known.get(name)
  if (first !== undefined) {
    return { status: 202, body: first, headers: { 'idempotency-replayed': 'true' }, ...note }
  }
  const { headers } = request
  const { started, ended } = await startDelivery(parts, definition, { delivery, headers })
  if (value !== null) known.set(name, started)
  return { ...(await answerInTime(started, ended, definition)), ...note }
}

/** The note on a delivery that cannot be verified, because no secret is set. */
export const unverified = (missing: readonly string[]): string =>
  `not verified: set ${missing.join(' or ')} in .env`

const sendEvent = async (
  { starts }: DevAppParts,
  { headers, readBody }: DevRequest,
): Promise<DevAnswer> => {
  // a page of another origin needs permission to send this type, and svc never gives it
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^application\/json\b/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the event as application/json.')
  }
  const given = parseJsonOrNull(new TextDecoder().decode(await readBody()))
  const parsed = eventFields.safeParse(given, { error: explainIssue })
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
    throw invalid(`The event is refused: ${faults.join('; ').trim()}.`)
  }
  const { id, delivered } = await starts.send(parsed.data)
  return { status: 200, body: { event_id: id, delivered } }
}

/**
 * Creates the handler of the paths that do not belong to functions.
 * @returns a function that resolves to null for the path of a function, and throws {AppError} for a refusal
 */
export const createDevRoutes = (app: DevApp) => {
  const known: Known = new QuickLRU({ maxSize: MOST_DELIVERIES })
  return async (request: DevRequest): Promise<DevAnswer | null> => {
    const { pathname } = request.url
    const isHook = pathname.startsWith('/hook/')
    if (!isHook && pathname !== EVENTS_PATH) return null
    if (request.method !== 'POST') return refuseMethod()
    const parts = app.parts()
    if (parts === null) {
      throw new AppError('not_found', 'There is no app.yaml in this folder.', {
        code: 'no_manifest',
      })
    }
    if (!isHook) return sendEvent(parts, request)
    const { key, webhooks } = parts.manifest
    const definition = webhooks.find((each) => hookPath(key, each.key) === pathname)
    if (definition === undefined) throw notFound(`Webhook "${pathname}"`)
    return deliver(parts, definition, { request, known })
  }
}
