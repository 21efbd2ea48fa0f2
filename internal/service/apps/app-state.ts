/** Implements `ctx.state`: JSON stored per app, for the app's jobs and functions, and over HTTP with the scope `*`. */
import { randomBytes } from 'node:crypto'
import { checkStateJson, STATE_KEYS_PER_PAGE, stateConflict, stateFull } from '#core/app-state.ts'
import { type AppError, conflict, invalid } from '#core/error.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import {
  deleteState,
  findState,
  isSetAnew,
  isWrittenBy,
  listStateKeys,
  mayWrite,
  type StateOwner,
  writeState,
} from '#store/apps/state.ts'
import { isRunning } from '#store/jobs/lease.ts'
import { holds } from '#store/row.ts'
import type { Deps } from '../deps.ts'
import { requireApp } from './require-app.ts'

/**
 * Finds the app that a request names.
 * @throws {AppError} invalid `no_app`; not_found `app_not_found`
 */
export const requireStateApp = async (
  deps: Pick<Deps, 'db'>,
  ws: string,
  app: string | null,
): Promise<StateOwner> => {
  if (app === null) throw invalid('Name the app: ?app=<key>.', { code: 'no_app' })
  return { ws, app, writer: await requireApp(deps, ws, app) }
}

/** How often a delete reads the value again because others keep writing it. */
const MAX_DELETES = 50

/** Returns the id of a write. */
const newWriteId = (): string => randomBytes(6).toString('base64url')

const lostJob = (): AppError =>
  conflict('This run no longer holds its job: its state was not written.')

const appDeleted = (): AppError =>
  conflict('The app was deleted: its state was not written.', { code: 'app_deleted' })

/**
 * Opens the state of an app. Its writes throw AppError if the attempt has lost its job, the app is deleted, or a limit is exceeded.
 * A running job may exceed the storage quota of its workspace, so that it can finish.
 */
export const openAppState = (
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  owner: StateOwner,
): StateAccess => {
  const at = (key: string) => ({ ...owner, key })

  const checkWriter = async (): Promise<void> => {
    if (await holds(db, mayWrite(owner))) return
    const { claim } = owner.writer
    throw claim === undefined || (await holds(db, isRunning(claim))) ? appDeleted() : lostJob()
  }

  const write = async (key: string, json: string, expected?: string | null): Promise<boolean> => {
    checkStateJson(json)
    if (owner.writer.claim === undefined) await storage.pass(owner.ws)
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
    await checkWriter()
    if (found === null) return true
    // after a lost answer the key may be missing, or set again by others
    const now = await findState(db, at(key))
    return now === null || isSetAnew(now, found)
  }

  return {
    get: (key) => findState(db, at(key)),
    set: async (key, json) => {
      if (await write(key, json)) return
      await checkWriter()
      throw stateFull()
    },
    compareAndSet: async (key, json, version) => {
      if (await write(key, json, version)) return true
      await checkWriter()
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
      const keys = await listStateKeys(db, { ...owner, prefix, after, limit: limit + 1 })
      return { keys: keys.slice(0, limit), hasMore: keys.length > limit }
    },
  }
}
