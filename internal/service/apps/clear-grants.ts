/**
 * Deletes the grants of an app that is about to be deleted, in small writes. Hundreds of thousands of customers may have one, and a
 * single write of all would keep a node with a local database from answering for seconds.
 */
import type { AppAddress } from '#core/app-address.ts'
import {
  deleteSomeGrants,
  haveGrants,
  haveManyGrants,
  listConsumerIds,
} from '#store/credentials/consumers.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Customers of one read, and grants of one write. Each takes a few milliseconds. */
const PORTION = 500

/**
 * Deletes the grants if there are many. The write that deletes the app deletes those that are made meanwhile, and those of nearly all
 * apps, so that their customers lose none if it fails.
 */
export const clearGrants = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app }: AppAddress,
): Promise<void> => {
  if (!(await haveManyGrants(db, { ws, app }, PORTION))) return
  for (let afterId = ''; ; ) {
    const ids = await listConsumerIds(db, { ws, afterId, limit: PORTION })
    while (await haveGrants(db, app, ids)) {
      await db.write([deleteSomeGrants(app, ids, PORTION)], { retry: true })
      await takeTurn()
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < PORTION) return
    afterId = last
  }
}
