/**
 * What code outside the sandbox's own frames shows to reach its app's state [access 14.2]. A token
 * stands for one attempt of one job, and for as long as that attempt runs.
 */
import { AppError } from '#core/error.ts'
import type { Principal } from '#core/principal.ts'
import { JOB_TOKEN_KEY_PURPOSE, signJobToken, verifyJobToken } from '#crypto/job-token.ts'
import type { Held } from '#store/job-queue.ts'
import { isAttemptRunning } from '#store/jobs.ts'
import type { Deps } from './deps.ts'

/** For the time between minting and the start of the script. */
const START_MS = 60_000

export type JobTokenRequest = Readonly<{ held: Held; app: string; timeoutMs: number }>

/** For an attempt that was just claimed; it ends with the attempt, at the latest with the action's timeout. */
export const mintJobToken = (
  { keyring, now }: Pick<Deps, 'keyring' | 'now'>,
  { held, app, timeoutMs }: JobTokenRequest,
): Promise<string> => {
  const claims = { job: held.id, ws: held.ws, app, attempt: held.attempt }
  const from = now()
  const lifetime = { from: new Date(from), until: new Date(from + timeoutMs + START_MS) }
  return signJobToken(keyring.derivedKey(JOB_TOKEN_KEY_PURPOSE), claims, lifetime)
}

/** Job tokens alone have dots in them. */
export const mayBeJobToken = (text: string): boolean => text.includes('.')

export const attemptIsOver = (): AppError =>
  new AppError('unauthenticated', 'The job of this token no longer runs.', {
    code: 'invalid_token',
  })

/** @throws {AppError} unauthenticated */
export const authenticateJobToken = async (
  { db, keyring, now }: Pick<Deps, 'db' | 'keyring' | 'now'>,
  text: string,
): Promise<Principal> => {
  const key = keyring.derivedKey(JOB_TOKEN_KEY_PURPOSE)
  const claims = await verifyJobToken(key, text, new Date(now()))
  if (claims === null) {
    throw new AppError('unauthenticated', 'This job token is wrong or its time is over.', {
      code: 'invalid_token',
    })
  }
  const { ws, app, attempt, job: id } = claims
  if (!(await isAttemptRunning(db, { ws, id, attempt }))) throw attemptIsOver()
  return {
    kind: 'job_token',
    credentialId: id,
    credentialPrefix: null,
    identity: `job:${id}`,
    ws,
    scopes: [],
    isAdmin: false,
    isSuperAdmin: false,
    customerId: null,
    attempt: { id, app, attempt },
  }
}
