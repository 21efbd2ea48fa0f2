/**
 * Sends notifications that are due. One node makes each attempt; a receiver may still get a notification
 * twice, with the same id.
 */
import { createPlaces, type Places } from '#core/fairness/places.ts'
import { createTally, type Tally } from '#core/fairness/tally.ts'
import { toMailText, toNotifyMessage, toSlackBody } from '#core/notify/message.ts'
import { notifyDelayMs } from '#core/notify/retry.ts'
import { isReported } from '#core/notify/rule.ts'
import type { PostTo } from '#outbound/post-to.ts'
import type { Mail, SendMail } from '#outbound/send-mail.ts'
import type { SignWebhook } from '#outbound/sign-webhook.ts'
import { DatabaseError, type DatabaseErrorKind, type Statement } from '#store/database.ts'
import {
  type AttemptOutcome,
  listDueNotifications,
  type Notification,
  recordAttempt,
  takeAttempt,
} from '#store/notifications.ts'
import { readAs } from '#store/read-owner.ts'
import { listVariables } from '#store/secrets.ts'
import { findWorkspace, type Workspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { variableContext } from '../secrets/secret-context.ts'
import { type DescribeDeps, describeEvent } from './describe-event.ts'
import { spendMail } from './send-budget.ts'

export type SendDeps = DescribeDeps &
  Pick<Deps, 'limits' | 'newId'> &
  Readonly<{ postTo: PostTo; sendMail: SendMail; signWebhook: SignWebhook }>

/** Due notifications that one look finds. */
const LOOKED_AT = 20
/** Attempts of a workspace at a time; each may take 10 s, if the receiver does not answer. */
const PER_WORKSPACE = 10
/** Attempts in all at a time, and those of workspaces that have one already: the rest is for others. */
const IN_ALL = 50
const OF_BUSY = 40
/** Longer than an attempt takes. After it, an attempt of a node that died counts as lost. */
const LEASE_MS = 60_000

class NotDelivered extends Error {
  override readonly name = 'NotDelivered'
  readonly status: number | null
  /** Whether no further attempt may follow. */
  readonly isFinal: boolean
  constructor(message: string, status: number | null, isFinal = false) {
    super(message)
    this.status = status
    this.isFinal = isFinal
  }
}

/** Requires that the settings still name the target, which an admin may have removed since the change that it reports. */
const requireReported = (
  workspace: Workspace | null,
  { event, target }: Notification,
): Workspace => {
  if (workspace === null) throw new NotDelivered('The workspace is gone.', null)
  if (event === 'test' || isReported(workspace.notify, event, target)) return workspace
  throw new NotDelivered('A rule no longer reports this to this target.', null, true)
}

const secretOf = async (
  { db, keyring }: SendDeps,
  { ws, key, wrappedKey }: Readonly<{ ws: string; key: string; wrappedKey: string }>,
): Promise<string> => {
  const found = (await listVariables(db, ws)).find((variable) => variable.key === key)
  if (found === undefined) throw new NotDelivered(`The variable ${key} is not set.`, null)
  return keyring.decrypt(wrappedKey, ws, variableContext(key), found.ciphertext)
}

/** @throws {Error} it was not sent, which then does not count */
const sendMail = async (deps: SendDeps, ws: string, mail: Mail): Promise<void> => {
  const release = await spendMail(deps, ws)
  try {
    await deps.sendMail(mail)
  } catch (error) {
    await deps.db.write([release], { retry: true })
    throw error
  }
}

/** @returns the HTTP status; null for an e-mail @throws {Error} it was not delivered */
const send = async (deps: SendDeps, notification: Notification): Promise<number | null> => {
  const { ws, id: rowId, event: type, target, createdAt } = notification
  const workspace = requireReported(await findWorkspace(deps.db, ws), notification)
  const data = await describeEvent(deps, notification)
  const message = toNotifyMessage(type, data)
  if ('email' in target) {
    const { title: subject } = message
    await sendMail(deps, ws, { to: target.email, subject, text: toMailText(message) })
    return null
  }
  const grants = [...deps.limits.egressAllow, ...(workspace.egressAllow ?? [])]
  const headers = { 'content-type': 'application/json' }
  let status: number
  if ('slack' in target) {
    status = await deps.postTo({ url: target.slack, headers, body: toSlackBody(message), grants })
  } else {
    const body = JSON.stringify({ type, timestamp: new Date(createdAt).toISOString(), data })
    const at = new Date(await deps.db.now())
    // the same for each attempt, so that a receiver recognizes a repetition
    const id = `msg_${ws}_${rowId.replaceAll(/[^\w-]/g, '_')}`
    const { wrappedKey } = workspace
    const signed: Readonly<Record<string, string>> =
      target.secret === undefined
        ? {}
        : {
            'webhook-signature': await deps.signWebhook(
              await secretOf(deps, { ws, key: target.secret, wrappedKey }),
              { id, at, body },
            ),
          }
    const seconds = String(Math.floor(at.getTime() / 1_000))
    const own = { 'webhook-id': id, 'webhook-timestamp': seconds, ...signed }
    status = await deps.postTo({
      url: target.webhook,
      headers: { ...headers, ...own },
      body,
      grants,
    })
  }
  if (status < 200 || status > 299) throw new NotDelivered(`It answered ${status}.`, status)
  return status
}

const MAX_ERROR = 500

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : 'Unknown error.').slice(0, MAX_ERROR)

const outcomeOf = async (deps: SendDeps, own: Notification): Promise<AttemptOutcome> => {
  try {
    const lastStatus = await readAs(own.ws, () => send(deps, own))
    return { isDelivered: true, lastStatus, lastError: null, retryMs: null }
  } catch (error) {
    const known = error instanceof NotDelivered ? error : null
    return {
      isDelivered: false,
      lastStatus: known?.status ?? null,
      lastError: reasonOf(error),
      retryMs: known?.isFinal === true ? null : notifyDelayMs(own.attempts),
    }
  }
}

/** The attempts of this node, from one turn to the next. */
export type Sending = Readonly<{
  /**
   * The outcomes of attempts that could not be written, for the next turn. Without them, what was delivered just before the
   * database went away would be sent again.
   */
  unwritten: Set<Statement>
  places: Places
  /** Open attempts by workspace. */
  open: Tally
}>

export const createSending = (): Sending => ({
  unwritten: new Set(),
  places: createPlaces(IN_ALL, OF_BUSY),
  open: createTally(),
})

const REFUSED: readonly DatabaseErrorKind[] = ['constraint', 'too_large', 'other']

/** Writes an outcome. If that fails for a reason that may pass, it waits for the next turn. */
const writeOutcome = async (
  { db }: SendDeps,
  record: Statement,
  unwritten: Sending['unwritten'],
): Promise<void> => {
  try {
    await db.write([record], { retry: true })
    unwritten.delete(record)
  } catch (error) {
    if (error instanceof DatabaseError && !REFUSED.includes(error.kind)) unwritten.add(record)
    else unwritten.delete(record)
    throw error
  }
}

export type SentNotification = Readonly<{ notification: Notification; isDelivered: boolean }>

/** Makes an attempt that this node has taken. */
const attempt = async (
  deps: SendDeps,
  due: Notification,
  unwritten: Sending['unwritten'],
): Promise<SentNotification> => {
  const own = { ...due, attempts: due.attempts + 1 }
  const outcome = await outcomeOf(deps, own)
  await writeOutcome(deps, recordAttempt(own, outcome), unwritten)
  return { notification: due, isDelivered: outcome.isDelivered }
}

type Taken = Readonly<{ due: Notification; leave: () => void }>

/**
 * Takes the next attempt of a notification.
 * @returns null if its workspace, or all together, have too many open attempts, or if another node has it
 * @throws {DatabaseError}
 */
const tryTake = async (
  { db }: SendDeps,
  due: Notification,
  { open, places }: Sending,
): Promise<Taken | null> => {
  const { ws } = due
  const free = open.of(ws) < PER_WORKSPACE ? places.take(ws) : null
  if (free === null) return null
  open.add(ws, 1)
  const leave = (): void => {
    open.add(ws, -1)
    free()
  }
  try {
    const { taken } = await db.write({ taken: takeAttempt(due, LEASE_MS) })
    if (taken.changes === 1) return { due, leave }
  } catch (error) {
    leave()
    throw error
  }
  leave()
  return null
}

/**
 * The workspaces that may begin no further attempt. Their notifications would hide those of others, which are not due for as long.
 */
const fullOf = (open: Tally): readonly string[] => {
  const busy = [...open.keys()]
  const inAll = busy.reduce((sum, ws) => sum + open.of(ws), 0)
  return busy.filter((ws) => inAll >= OF_BUSY || open.of(ws) >= PER_WORKSPACE)
}

export type StartedAttempts = Readonly<{
  /** @throws {DatabaseError} an outcome could not be written; it is in `unwritten` */
  attempts: readonly Promise<SentNotification>[]
  /** Whether more may be due for which there is room. */
  mayBeMore: boolean
  /** Why further ones could not be taken; null if all could. */
  failure: Readonly<{ error: unknown }> | null
}>

/**
 * Starts attempts that are due, and does not wait for them: a receiver that does not answer delays no workspace but its own
 * [notifications 2.9]. Reads once if there are none.
 * @param sending what earlier turns of this node have left, whose outcomes are written first
 * @throws {DatabaseError} an outcome could still not be written
 */
export const startDueNotifications = async (
  deps: SendDeps,
  sending: Sending,
): Promise<StartedAttempts> => {
  const { open, unwritten } = sending
  for (const record of [...unwritten]) await writeOutcome(deps, record, unwritten)
  const due = await listDueNotifications(deps.db, { limit: LOOKED_AT, except: fullOf(open) })
  const taken = await Promise.allSettled(due.map((one) => tryTake(deps, one, sending)))
  const attempts = taken.flatMap((result) =>
    result.status === 'fulfilled' && result.value !== null
      ? [attempt(deps, result.value.due, unwritten).finally(result.value.leave)]
      : [],
  )
  const failed = taken.find((result) => result.status === 'rejected')
  const failure = failed === undefined ? null : { error: failed.reason }
  const mayBeMore = failure === null && due.length === LOOKED_AT && attempts.length > 0
  return { attempts, mayBeMore, failure }
}

/** Whether so few attempts of a workspace are open that it is time to look for more. */
export const hasRoom = ({ open }: Sending, ws: string): boolean => open.of(ws) <= PER_WORKSPACE / 2
