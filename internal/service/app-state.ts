/** `ctx.state` over HTTP (contract, Apps): JSON kept per app, for the app's own jobs and for whoever holds `*`. */
import { forbidden, invalid, notFound } from '#core/error.ts'
import type { JsonValue } from '#core/json.ts'
import type { Principal } from '#core/principal.ts'
import {
  findState,
  type StateAddress,
  upsertState,
  upsertStateOfAttempt,
} from '#store/app-state.ts'
import { findApp } from '#store/apps.ts'
import type { Deps } from './deps.ts'
import { attemptIsOver } from './job-token.ts'

/**
 * The app whose state a caller means: a job has but its own, everybody else names one.
 * @throws {AppError} forbidden, invalid, not_found
 */
export const stateAppOf = async (
  { db }: Pick<Deps, 'db'>,
  principal: Principal,
  { ws, app }: Readonly<{ ws: string; app: string | null }>,
): Promise<string> => {
  if (principal.attempt !== undefined) {
    if (app === null || app === principal.attempt.app) return principal.attempt.app
    throw forbidden('A job reaches the state of its own app only.', { code: 'other_app' })
  }
  if (app === null) throw invalid('Name the app: ?app=<key>.', { code: 'no_app' })
  if ((await findApp(db, ws, app)) === null) {
    throw notFound(`App "${app}"`, { code: 'app_not_found' })
  }
  return app
}

/** Null where nothing was set. */
export const readState = async ({ db }: Pick<Deps, 'db'>, at: StateAddress): Promise<JsonValue> => {
  const text = await findState(db, at)
  return text === null ? null : JSON.parse(text)
}

/** A job's write counts only while its attempt runs at that very moment. @throws {AppError} unauthenticated */
export const writeState = async (
  { db }: Pick<Deps, 'db'>,
  principal: Principal,
  { at, value }: Readonly<{ at: StateAddress; value: JsonValue }>,
): Promise<void> => {
  const text = JSON.stringify(value)
  const { attempt } = principal
  if (attempt === undefined) {
    await db.write([upsertState(at, text)], { retry: true })
    return
  }
  const held = { ws: at.ws, id: attempt.id, attempt: attempt.attempt }
  const [result] = await db.write([upsertStateOfAttempt(at, text, held)], { retry: true })
  if (result?.changes !== 1) throw attemptIsOver()
}
