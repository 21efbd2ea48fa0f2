/**
 * Rotates the instance key (`svc keys rotate`) [access 20].
 *
 * Guarantee: every data key, also those of second factors, and the check value change from the old to the new instance key in
 * one atomic write, or none does. A workspace that is created meanwhile is included, because the write is guarded by the list
 * that it was built from. Data keys stay the same, so encrypted values do not change. A node that still runs with the old key
 * can neither decrypt anything nor create a workspace (store/workspaces/workspaces.ts).
 * An instance with cells is rotated one database at a time, the home first, because the home alone decides which key is right.
 * A cell that was not reached is rotated by the next start or command that has the previous key
 * (internal/node/keys/finish-key-rotation.ts).
 * The caller handles the key files, in an order that survives a crash at any point: first the new key is on disk under its own
 * name; then comes this write; then the new key replaces the old file. After a crash before the write, the old key is right and
 * the new file is ignored. After a later crash, the next start finds the file whose key the database has and moves it into
 * place (internal/node/keys/finish-key-rotation.ts).
 * Fails with AppError `conflict` if another process rotated the key meanwhile.
 */
import { CLI_ACTOR } from '#core/access/actor.ts'
import { type AppError, conflict, unavailable } from '#core/error.ts'
import { createAesKeyring, createRewrapper } from '#crypto/aes-keyring.ts'
import type { Keyring } from '#crypto/keyring.ts'
import type { Database } from '#store/database.ts'
import { findMeta } from '#store/meta.ts'
import { isAnyMoving } from '#store/workspaces/moved.ts'
import { listWrappedKeys, replaceCheckValue, replaceWrappedKeys } from '#store/wrapped-keys.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

export type KeyChange = Readonly<{ from: Uint8Array; to: Uint8Array }>

const isPerson = (owner: string): boolean => owner.includes('|')

/** Rotates the key. @returns the number of workspaces @throws {AppError} conflict, unavailable */
export const rotateInstanceKey = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { from, to }: KeyChange,
): Promise<number> => {
  const before = createAesKeyring(from)
  const after = createAesKeyring(to)
  const rewrap = createRewrapper(from, to)
  const rotate = async (): Promise<number | null> => {
    if (await isAnyMoving(deps.db)) throw isMovingNow()
    const keys = (await listWrappedKeys(deps.db)).map(({ ws, wrappedKey }) => ({
      ws,
      before: wrappedKey,
      after: rewrap(wrappedKey, ws),
    }))
    await deps.db.write(
      [
        replaceCheckValue({ from: before.checkValue(), to: after.checkValue() }, keys),
        audited(deps, { ws: null, actor: CLI_ACTOR }, 'instance_key.rotated', 'instance'),
        ...replaceWrappedKeys(keys, after.checkValue()),
      ],
      { retry: true },
    )
    if (await holdsInstanceKey({ db: deps.db, keyring: after })) {
      return keys.filter(({ ws }) => !isPerson(ws)).length
    }
    if (!(await holdsInstanceKey({ db: deps.db, keyring: before }))) {
      throw conflict('Another process rotated the instance key meanwhile. Nothing was changed.')
    }
    return null
  }
  // a workspace may be created between reading and writing
  return retryOnConflict(rotate, overtaken)
}

const isMovingNow = (): AppError =>
  conflict(
    'A workspace is being moved to another cell, and its key with it. End that first: svc workspace list shows which, svc workspace move goes on.',
  )

const overtaken = (): AppError =>
  unavailable('Workspaces were created during every try. Try again.')

/** Returns whether the database has the instance key of `keyring`; only reads. */
export const holdsInstanceKey = async ({
  db,
  keyring,
}: Readonly<{ db: Database; keyring: Keyring }>): Promise<boolean> => {
  const known = await findMeta(db, 'instance_key_check')
  return known !== null && keyring.matches(known)
}
