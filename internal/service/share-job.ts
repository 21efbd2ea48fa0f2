/**
 * Read-only sharing of one job [access 13.1]. Whoever has the link sees status, result and logs as
 * they are, and nothing else: no input, no way to cancel, no further token.
 */

import { makeTokenText, parseTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, notFound } from '#core/error.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Database } from '#store/database.ts'
import {
  findViewToken,
  findViewTokenByHash,
  findViewTokenExpiry,
  insertViewToken,
  revokeViewToken as revokeStatement,
  revokeViewTokensOf,
  type ViewTokenHolder,
} from '#store/view-tokens.ts'
import type { Deps } from './deps.ts'
import { hashToken } from './hash-token.ts'

/** Seconds: 24 hours unless asked otherwise, at most 7 days [access 13.1]. */
export const VIEW_TOKEN_DEFAULT_S = 86_400
export const VIEW_TOKEN_MAX_S = 7 * 86_400

/** Which job, which the caller may read, and who shares it. */
export type ShareAct = Readonly<{ ws: string; jobId: string; actor: Actor }>

/** The raw text is answered here, once. */
export type IssuedViewToken = Readonly<{ id: string; text: string; expiresAt: number }>

/** @throws {AppError} not_found: the job is gone */
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
      insertAuditEntryIfChanged({
        id: deps.newId(),
        ws,
        actor,
        action: 'view_token.created',
        target: `${jobId} ${id}`,
      }),
    ],
    { retry: true },
  )
  const expiresAt = await findViewTokenExpiry(deps.db, ws, id)
  if (expiresAt === null) throw notFound('Job')
  return { id, text, expiresAt }
}

/** @throws {AppError} not_found */
export const revokeViewToken = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, jobId, actor }: ShareAct,
  id: string,
): Promise<void> => {
  const target = `${jobId} ${id}`
  const entry = { id: deps.newId(), ws, actor, action: 'view_token.revoked', target }
  await deps.db.write([revokeStatement({ ws, jobId, id }), insertAuditEntryIfChanged(entry)], {
    retry: true,
  })
  if ((await findViewToken(deps.db, { ws, jobId, id })) === null) throw notFound('View token')
}

/** Every one of the job; none is fine too. */
export const revokeAllViewTokens = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, jobId, actor }: ShareAct,
): Promise<void> => {
  const entry = { id: deps.newId(), ws, actor, action: 'view_token.revoked', target: jobId }
  await deps.db.write([revokeViewTokensOf(ws, jobId), insertAuditEntryIfChanged(entry)], {
    retry: true,
  })
}

/**
 * @param text what stands in the address
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
