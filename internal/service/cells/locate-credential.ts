/**
 * Finds the workspace of a credential if the request does not name it. A credential never changes its workspace, so a process
 * looks each up once: first at home, then in all further cells at once.
 */
import QuickLRU from 'quick-lru'
import { parseApiKey } from '#core/access/api-key-text.ts'
import { parseTokenText } from '#core/access/token-text.ts'
import { unavailable } from '#core/error.ts'
import { findApiKeyHolder } from '#store/credentials/api-keys.ts'
import type { Database } from '#store/database.ts'
import { isAnyMoving } from '#store/workspaces/moved.ts'
import { WORKSPACES } from '../access/authenticate.ts'
import { hashToken } from '../access/hash-token.ts'
import type { Deps } from '../deps.ts'
import { cellAway } from './find-database.ts'

export interface CredentialLocator {
  /**
   * Returns the workspace of a credential, or null if no cell knows it.
   * @throws {AppError} unavailable: no cell that answers knows it, and one does not answer
   */
  workspaceOf(text: string): Promise<string | null>
}

/** Returns how to find the workspace of a text in one database; null for kinds that only the home has, and for other texts. */
const finderOf = (text: string): ((db: Database) => Promise<string | null>) | null => {
  const apiKey = parseApiKey(text)
  if (apiKey !== null) {
    return async (db) => (await findApiKeyHolder(db, apiKey.keyId))?.key.ws ?? null
  }
  const kind = parseTokenText(text)?.kind
  const find = kind === undefined ? undefined : WORKSPACES[kind]
  const hash = hashToken(text)
  return find === undefined ? null : (db) => find(db, hash)
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
  find: (db: Database) => Promise<string | null>,
): Promise<string | null> => {
  const answers = await Promise.allSettled(
    cells.map(({ name, db }) => (db === null ? Promise.reject(cellAway(name)) : find(db))),
  )
  const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value !== null)
  if (found?.status === 'fulfilled') return found.value
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return null
}

/** Creates a locator. It keeps hashes, not texts. */
export const createCredentialLocator = ({
  home,
  furtherCells,
}: Pick<Deps, 'home' | 'furtherCells'>): CredentialLocator => {
  const known = new QuickLRU<string, string>({ maxSize: MOST_KNOWN })
  return {
    workspaceOf: async (text) => {
      const find = finderOf(text)
      if (find === null) return null
      const key = hashToken(text)
      const before = known.get(key)
      if (before !== undefined) return before
      const ws = (await find(home)) ?? (await findInCells(furtherCells(), find))
      if (ws === null) {
        // credentials of a workspace that is held on both sides are found on neither
        if (furtherCells().length > 0 && (await isAnyMoving(home))) throw somethingMoves()
        return null
      }
      known.set(key, ws)
      return ws
    },
  }
}
