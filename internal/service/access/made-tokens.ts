/**
 * Revokes tokens that made very many others. One write that revokes two hundred thousand keeps a node with a local database from
 * answering for seconds, so they are revoked in small ones. None of them is valid from the first on (token-revocations.ts).
 */

import {
  endRevocation,
  listInterruptedRevocations,
  type TokenTree,
} from '#store/credentials/token-revocations.ts'
import {
  hasUnrevoked,
  listMakers,
  listTokensMadeBy,
  revokeTokens,
} from '#store/credentials/tokens.ts'
import type { Database } from '#store/database.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Tokens of one write, which takes a few milliseconds. */
const PORTION = 500

/** Revocations that one turn of the scheduler continues. */
const CONTINUED = 10

/**
 * Yields the tokens that a token made, and those that they made, few at once. From the write that begins the revocation on, none of
 * them makes another one.
 */
async function* walk(
  db: Database,
  { ws, id, callerId }: TokenTree,
): AsyncGenerator<readonly string[]> {
  // a set, since an imported workspace may contain tokens that name one another
  const makers = new Set([id])
  for (const makerId of makers) {
    if (makerId === callerId) continue
    for (let afterId: string | undefined = ''; afterId !== undefined; ) {
      const page: readonly string[] = await listTokensMadeBy(db, {
        ws,
        makerId,
        afterId,
        limit: PORTION,
      })
      const made = page.filter((each) => each !== callerId)
      if (made.length > 0) yield made
      for (const each of await listMakers(db, made)) makers.add(each)
      afterId = page.length < PORTION ? undefined : page.at(-1)
    }
  }
}

/** Yields the same tokens in portions for one write each. In a chain, each token made only one. */
async function* portions(db: Database, tree: TokenTree): AsyncGenerator<readonly string[]> {
  let portion: string[] = []
  for await (const made of walk(db, tree)) {
    for (const each of made) {
      portion.push(each)
      if (portion.length < PORTION) continue
      yield portion
      portion = []
    }
  }
  if (portion.length > 0) yield portion
}

/** Returns whether a token made more tokens than one write may revoke. */
export const hasMadeMany = async (db: Database, tree: TokenTree): Promise<boolean> => {
  let count = 0
  for await (const { length } of walk(db, tree)) {
    count += length
    if (count >= PORTION) return true
  }
  return false
}

/** Returns whether a token, or one that it made, or one that they made, is not revoked yet. */
export const isAnyLeft = async (db: Database, tree: TokenTree): Promise<boolean> => {
  if (await hasUnrevoked(db, [tree.id])) return true
  for await (const made of portions(db, tree)) {
    if (await hasUnrevoked(db, made)) return true
  }
  return false
}

/**
 * Revokes all that a token made. It runs after the write that begins the revocation, and may be repeated from the start.
 * @param signal stops it between two writes; the revocation stays to be continued
 */
export const revokeMade = async (
  db: Database,
  tree: TokenTree,
  signal?: AbortSignal,
): Promise<void> => {
  for await (const made of portions(db, tree)) {
    await db.write([revokeTokens(tree.ws, made)], { retry: true })
    await takeTurn()
    if (signal?.aborted === true) return
  }
  await db.write([endRevocation(tree)], { retry: true })
}

/** Continues revocations that were interrupted. @returns whether further ones may be left */
export const continueRevocations = async (db: Database, signal: AbortSignal): Promise<boolean> => {
  const trees = await listInterruptedRevocations(db, CONTINUED)
  for (const tree of trees) {
    if (!signal.aborted) await revokeMade(db, tree, signal)
  }
  return trees.length === CONTINUED
}
