/** Implements `ctx.state`: JSON stored per app, for the app's jobs and functions, and over HTTP with the scope `*`. */
import { randomBytes } from 'node:crypto'
import { checkStateJson, STATE_KEYS_PER_PAGE, stateConflict, stateFull } from '#core/app-state.ts'
import { type AppError, conflict, invalid, notFound } from '#core/error.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { findApp } from '#store/apps/apps.ts'
import {
  deleteState,
  findState,
  isSetAnew,
  isWrittenBy,
  listStateKeys,
  writeState,
} from '#store/apps/state.ts'
import type { Claim } from '#store/jobs/lease.ts'
import { isAttemptRunning } from '#store/jobs/lease.ts'
import type { Deps } from './deps.ts'

/**
 * Checks the app that a request names.
 * @throws {AppError} invalid `no_app`; not_found `app_not_found`
 */
export const requireStateApp = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  app: string | null,
): Promise<string> => {
  if (app === null) throw invalid('Name the app: ?app=<key>.', { code: 'no_app' })
  if ((await findApp(db, ws, app)) === null) {
    throw notFound(`App "${app}"`, { code: 'app_not_found' })
  }
  return app
}

export type StateOwner = Readonly<{
  ws: string
  app: string
  /** The attempt that writes; its writes are fenced. @default not fenced */
  claim?: Claim
}>

/** How often a delete reads the value again because others keep writing it. */
const MAX_DELETES = 50

/** Returns the id of a write. */
const newWriteId = (): string => randomBytes(6).toString('base64url')

const lostJob = (): AppError =>
  conflict('This run no longer holds its job: its state was not written.')

/** Opens the state of an app. Its writes throw AppError if the attempt has lost its job, or a limit is exceeded. */
export const openAppState = (
  { db }: Pick<Deps, 'db'>,
  { ws, app, claim }: StateOwner,
): StateAccess => {
  const at = (key: string) => ({ ws, app, key, ...(claim === undefined ? {} : { claim }) })

  const checkClaim = async (): Promise<void> => {
    if (claim !== undefined && !(await isAttemptRunning(db, claim))) throw lostJob()
  }

  const write = async (key: string, json: string, expected?: string | null): Promise<boolean> => {
    checkStateJson(json)
    const more = expected === undefined ? {} : { expected }
    const id = newWriteId()
    const statement = writeState({ ...at(key), json, id, ...more })
    const { written } = await db.write({ written: statement }, { retry: true })
    if (written.changes === 1) return true
    // the answer to the first try may have been lost, so that the write was repeated after others had written
    const found = await findState(db, at(key))
    return found !== null && isWrittenBy(found, id)
  }

  /** @returns false if another write came first, and the value has to be read again */
  const deleteOnce = async (key: string): Promise<boolean> => {
    const found = await findState(db, at(key))
    if (found !== null) {
      const statement = deleteState({ ...at(key), version: found.version })
      const { deleted } = await db.write({ deleted: statement }, { retry: true })
      if (deleted.changes === 1) return true
    }
    await checkClaim()
    if (found === null) return true
    // after a lost answer the key may be missing, or set again by others
    const now = await findState(db, at(key))
    return now === null || isSetAnew(now, found)
  }

  return {
    get: (key) => findState(db, at(key)),
    set: async (key, json) => {
      if (await write(key, json)) return
      await checkClaim()
      throw stateFull()
    },
    compareAndSet: async (key, json, version) => {
      if (await write(key, json, version)) return true
      await checkClaim()
      const found = await findState(db, at(key))
      // the key is still missing, so the limit of keys refused the write
      if (version === null && found === null) throw stateFull()
      return false
    },
    delete: async (key) => {
      for (let tries = 0; tries < MAX_DELETES; tries += 1) if (await deleteOnce(key)) return
      throw stateConflict()
    },
    list: async (prefix, after) => {
      const limit = STATE_KEYS_PER_PAGE
      const keys = await listStateKeys(db, { ws, app, prefix, after, limit: limit + 1 })
      return { keys: keys.slice(0, limit), hasMore: keys.length > limit }
    },
  }
}
