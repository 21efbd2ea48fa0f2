/**
 * Changes the instance key (contract, `svc keys rotate`).
 *
 * It guarantees: every data key and the check value go from the old instance key to the new one in one atomic write, or
 * none does; a workspace that appears meanwhile is never left behind, since the write is guarded by the very list that
 * it was made from. Data keys stay, so nothing that they encrypt is touched and nothing is lost by a node that still
 * runs with the old key: it opens nothing any more, and makes no workspace (store/workspaces.ts).
 * It leaves to others: the key files. The order that survives a crash at any point is: the new key is on the disk under
 * a name of its own; this write; the new key takes the old one's place. Cut off before the write, the old key is right
 * and the new file means nothing; cut off after it, the next start finds the file that the database knows and puts it
 * into place (cmd/svc/finish-key-rotation.ts).
 * It fails by AppError: `conflict` when somebody else changed the key meanwhile.
 */
import { CLI_ACTOR } from '#core/actor.ts'
import { AppError, conflict } from '#core/error.ts'
import { createAesKeyring, createRewrapper } from '#crypto/aes-keyring.ts'
import type { Keyring } from '#crypto/keyring.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Database } from '#store/database.ts'
import { findMeta } from '#store/meta.ts'
import { listWrappedKeys, replaceCheckValue, replaceWrappedKeys } from '#store/wrapped-keys.ts'
import type { Deps } from './deps.ts'

/** A workspace may be made between reading and writing; so many in a row are beyond bad luck. */
const MAX_TRIES = 10

export type KeyChange = Readonly<{ from: Uint8Array; to: Uint8Array }>

/** @returns how many workspaces there are */
export const rotateInstanceKey = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { from, to }: KeyChange,
): Promise<number> => {
  const before = createAesKeyring(from)
  const after = createAesKeyring(to)
  const rewrap = createRewrapper(from, to)
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const keys = (await listWrappedKeys(deps.db)).map(({ ws, wrappedKey }) => ({
      ws,
      before: wrappedKey,
      after: rewrap(wrappedKey, ws),
    }))
    await deps.db.write(
      [
        replaceCheckValue({ from: before.checkValue(), to: after.checkValue() }, keys),
        insertAuditEntryIfChanged({
          id: deps.newId(),
          ws: null,
          actor: CLI_ACTOR,
          action: 'instance_key.rotated',
          target: 'instance',
        }),
        replaceWrappedKeys(keys),
      ],
      { retry: true },
    )
    if (await holdsInstanceKey({ db: deps.db, keyring: after })) return keys.length
    if (!(await holdsInstanceKey({ db: deps.db, keyring: before }))) {
      throw conflict('Somebody else changed the instance key meanwhile. Nothing was done here.')
    }
  }
  throw new AppError('unavailable', 'Workspaces are being made all the time. Try again.')
}

/** By a read alone: whether the database knows the instance key behind `keyring`. */
export const holdsInstanceKey = async ({
  db,
  keyring,
}: Readonly<{ db: Database; keyring: Keyring }>): Promise<boolean> => {
  const known = await findMeta(db, 'instance_key_check')
  return known !== null && keyring.matches(known)
}
