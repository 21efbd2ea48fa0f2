/**
 * Ends the tokens of a person who is removed. One write that revokes two hundred thousand keeps a node with a local database from
 * answering for seconds, so they are ended in small ones, before the write that removes the person.
 */
import { listTokensOf, type OwnedTokens } from '#store/credentials/tokens.ts'
import type { Database, Statement } from '#store/database.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Tokens of one part. A write ends them in a few milliseconds. */
const PART = 500

type Owner = Pick<OwnedTokens, 'ws' | 'email'>

/** Returns whether a person has more tokens than one write may end. */
export const hasManyTokens = async (db: Database, owner: Owner): Promise<boolean> =>
  (await listTokensOf(db, { ...owner, after: null, limit: PART })).length === PART

/**
 * Ends the tokens of a person in small writes, but for the last.
 * @param end ends these tokens; it may run twice
 * @returns the token after which some may be left. It has hundreds behind it, because a request under way may insert one whose id
 *   is not the last
 */
export const endTokensOf = async (
  db: Database,
  owner: Owner,
  end: (ids: readonly string[]) => Statement,
): Promise<string> => {
  let left: OwnedTokens['after'] = null
  let after: OwnedTokens['after'] = null
  for (;;) {
    const places = await listTokensOf(db, { ...owner, after, limit: PART })
    const last = places.at(-1)
    if (last === undefined || places.length < PART) return left?.id ?? ''
    await db.write([end(places.map(({ id }) => id))], { retry: true })
    await takeTurn()
    left = after
    after = last
  }
}
