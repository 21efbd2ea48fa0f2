import type { AppAddress } from '#core/app-address.ts'
import { listFunctionHashes } from '#store/apps/functions.ts'
import type { Deps } from '../deps.ts'

/** Returns whether an app runs exactly these functions. @param wanted hashes by name */
export const runsFunctions = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app }: AppAddress,
  wanted: ReadonlyMap<string, string>,
): Promise<boolean> => {
  const running = await listFunctionHashes(db, ws, app)
  return (
    running.size === wanted.size && [...wanted].every(([name, hash]) => running.get(name) === hash)
  )
}
