/**
 * Ends the tokens of a person who is removed. One write that revokes two hundred thousand keeps a node with a local database from
 * answering for seconds, so they are ended in small ones, before the write that removes the person.
 */
import { findEndOfTokens, listTokensOf, type TokenPlace } from '#store/credentials/tokens.ts'
import type { Database, Statement } from '#store/database.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Tokens of one part. A write ends them in a few milliseconds. */
const PART = 500

type Owner = Pick<TokenPlace, 'ws'> & Readonly<{ email: string }>

/** Returns whether there are more tokens, of all people, than one write may search. */
export const hasManyTokens = async (db: Database, ws: string | null): Promise<boolean> =>
  (await findEndOfTokens(db, { ws, afterId: '', count: PART })) !== null

/**
 * Ends the tokens of a person in small writes, but for the last.
 * @param email normalized
 * @param end ends these tokens; it may run twice
 * @returns the token after which some may be left. It has hundreds behind it, because a request under way may insert one whose id
 *   is not the last
 */
export const endTokensOf = async (
  db: Database,
  { ws, email }: Owner,
  end: (ids: readonly string[]) => Statement,
): Promise<string> => {
  for (let [leftId, afterId] = ['', '']; ; ) {
    const lastId = await findEndOfTokens(db, { ws, afterId, count: PART })
    if (lastId === null) return leftId
    const ids = await listTokensOf(db, { ws, afterId, lastId, email })
    if (ids.length > 0) await db.write([end(ids)], { retry: true })
    await takeTurn()
    leftId = afterId
    afterId = lastId
  }
}
