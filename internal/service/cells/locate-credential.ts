/**
 * Which workspace a credential belongs to, where the request does not name it. A credential never changes its workspace, so a
 * process asks once for each: first the home, then all further cells together.
 */
import { parseApiKey } from '#core/access/api-key-text.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import { unavailable } from '#core/error.ts'
import { findApiKeyHolder } from '#store/api-keys.ts'
import { findConsumerKeyByHash } from '#store/consumer-keys.ts'
import type { Database } from '#store/database.ts'
import { findFlowLinkByHash } from '#store/flow-links.ts'
import { findInviteByHash } from '#store/invites.ts'
import { isAnyMoving } from '#store/moved-workspaces.ts'
import { findTokenByHash } from '#store/tokens.ts'
import { findViewTokenByHash } from '#store/view-tokens.ts'
import type { Deps } from '../deps.ts'
import { hashToken } from '../hash-token.ts'
import { isAway } from './find-database.ts'

export interface CredentialLocator {
  /**
   * The workspace of a credential, or null if no cell knows it.
   * @throws {AppError} unavailable: those that answer do not know it, and one does not answer
   */
  workspaceOf(text: string): Promise<string | null>
}

type Find = (db: Database) => Promise<string | null>

/** How the workspace of a text is found in one database; null for kinds that only the home has, and for other texts. */
const finderOf = (text: string): Find | null => {
  const apiKey = parseApiKey(text)
  if (apiKey !== null) {
    return async (db) => (await findApiKeyHolder(db, apiKey.keyId))?.key.ws ?? null
  }
  const hash = hashToken(text)
  switch (parseTokenText(text)?.kind) {
    case 'api_token':
      return async (db) => (await findTokenByHash(db, hash))?.token.ws ?? null
    case 'customer_key':
      return async (db) => (await findConsumerKeyByHash(db, hash))?.key.ws ?? null
    case 'view_token':
      return async (db) => (await findViewTokenByHash(db, hash))?.ws ?? null
    case 'flow_link':
      return async (db) => (await findFlowLinkByHash(db, hash))?.ws ?? null
    case 'invite':
      return async (db) => (await findInviteByHash(db, hash))?.invite.ws ?? null
    default:
      return null
  }
}

const somethingMoves = (): Error =>
  unavailable(
    'A workspace is being moved, which may be that of this credential. Try again shortly.',
    {
      code: 'workspace_moving',
      retryAfterS: 2,
    },
  )

const MOST_KNOWN = 100_000

const findInCells = async (
  cells: ReturnType<Deps['furtherCells']>,
  find: Find,
): Promise<string | null> => {
  const answers = await Promise.allSettled(
    cells.map(({ name, db }) => (db === null ? Promise.reject(isAway(name)) : find(db))),
  )
  const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value !== null)
  if (found?.status === 'fulfilled') return found.value
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return null
}

/** Keeps hashes and no texts. */
export const createCredentialLocator = ({
  home,
  furtherCells,
}: Pick<Deps, 'home' | 'furtherCells'>): CredentialLocator => {
  const known = new Map<string, string>()
  return {
    workspaceOf: async (text) => {
      const find = finderOf(text)
      if (find === null) return null
      const key = hashToken(text)
      const before = known.get(key)
      if (before !== undefined) return before
      const ws = (await find(home)) ?? (await findInCells(furtherCells(), find))
      if (ws === null) {
        // a workspace that is held on both sides has no credentials
        if (furtherCells().length > 0 && (await isAnyMoving(home))) throw somethingMoves()
        return null
      }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(key, ws)
      return ws
    },
  }
}
