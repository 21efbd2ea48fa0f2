/**
 * Shares one job read-only by a link [access 13.1]. Its holder sees the job's current status, result and logs and nothing
 * else: no input, no cancel, no further token.
 */

import type { Actor } from '#core/access/actor.ts'
import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { AppError, notFound } from '#core/error.ts'
import {
  findViewToken,
  findViewTokenByHash,
  findViewTokenExpiry,
  insertViewToken,
  listValidViewTokens,
  revokeViewToken as revokeStatement,
  revokeViewTokens,
  type ViewTokenHolder,
} from '#store/credentials/view-tokens.ts'
import type { Database } from '#store/database.ts'
import { hashToken } from './access/hash-token.ts'
import { audited } from './audited.ts'
import type { Deps } from './deps.ts'
import { takeTurn } from './portions/take-turn.ts'

/** The job, which the caller may read, and the caller. */
export type ShareAct = Readonly<{ ws: string; jobId: string; actor: Actor }>

/** A new token. Only this result contains its text, because only its hash is stored. */
export type IssuedViewToken = Readonly<{ id: string; text: string; expiresAt: number }>

/** Creates a view token. @throws {AppError} not_found: the job is gone */
export const issueViewToken = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  { ws, jobId, actor }: ShareAct,
  lifetimeS: number,
): Promise<IssuedViewToken> => {
  const id = deps.newId()
  const { text, prefix } = makeTokenText('view_token', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const hash = hashToken(text)
  const createdBy = actor.identity
  await deps.db.write(
    [
      insertViewToken({ id, ws, jobId, hash, prefix, lifetimeS, createdBy }),
      audited(deps, { ws, actor }, 'view_token.created', `${jobId} ${id}`),
    ],
    { retry: true },
  )
  const expiresAt = await findViewTokenExpiry(deps.db, ws, id)
  if (expiresAt === null) throw notFound('Job')
  return { id, text, expiresAt }
}

/** Revokes a view token; revoking twice is allowed. @throws {AppError} not_found */
export const revokeViewToken = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, jobId, actor }: ShareAct,
  id: string,
): Promise<void> => {
  const target = `${jobId} ${id}`
  await deps.db.write(
    [
      revokeStatement({ ws, jobId, id }),
      audited(deps, { ws, actor }, 'view_token.revoked', target),
    ],
    {
      retry: true,
    },
  )
  if ((await findViewToken(deps.db, { ws, jobId, id })) === null) throw notFound('View token')
}

/** Tokens of one write, which takes a few milliseconds. */
const PORTION = 500

/**
 * Revokes all view tokens of a job, if any, in small writes: a job may have hundreds of thousands. Revoking twice is allowed, and
 * continues what was interrupted.
 */
export const revokeAllViewTokens = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, jobId, actor }: ShareAct,
): Promise<void> => {
  const { db } = deps
  const audit = audited(deps, { ws, actor }, 'view_token.revoked', jobId)
  for (let [afterId, more] = ['', [audit]]; ; more = []) {
    const ids = await listValidViewTokens(db, { ws, jobId, afterId, limit: PORTION })
    await db.write([revokeViewTokens(ws, jobId, ids), ...more], { retry: true })
    const last = ids.at(-1)
    if (last === undefined || ids.length < PORTION) return
    afterId = last
    await takeTurn()
  }
}

/**
 * Finds the job of a token.
 * @param text the token in the URL
 * @throws {AppError} not_found: no such token; gone: it has expired or was revoked
 */
export const openViewToken = async (db: Database, text: string): Promise<ViewTokenHolder> => {
  const holder =
    parseTokenText(text)?.kind === 'view_token'
      ? await findViewTokenByHash(db, hashToken(text))
      : null
  if (holder === null) throw notFound('Shared job')
  if (holder.hasEnded) {
    throw new AppError('gone', 'This link has expired or was revoked. Ask for a new one.', {
      code: 'view_token_ended',
    })
  }
  return holder
}
