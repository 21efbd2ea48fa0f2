/** API keys of the parser and the relay [access 12.1]: created, verified, revoked. */
import { timingSafeEqual } from 'node:crypto'
import {
  API_KEY_RANDOM_BYTES,
  formatApiKey,
  makeApiKeyText,
  parseApiKey,
} from '#core/access/api-key-text.ts'
import type { Actor } from '#core/actor.ts'
import { AppError, notFound } from '#core/error.ts'
import {
  type ApiKey,
  findApiKey,
  findApiKeyHolder,
  insertApiKey,
  revokeApiKey as revokeStatement,
} from '#store/api-keys.ts'
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import type { Database } from '#store/database.ts'
import type { Deps } from './deps.ts'
import { hashToken } from './hash-token.ts'

/** The raw text is answered here, once. */
export type IssuedApiKey = Readonly<{ text: string; key: ApiKey }>

export const issueApiKey = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  { ws, name, actor }: Readonly<{ ws: string; name: string; actor: Actor }>,
): Promise<IssuedApiKey> => {
  const made = makeApiKeyText(deps.randomBytes(API_KEY_RANDOM_BYTES))
  const { keyId } = made
  const entry = { id: deps.newId(), ws, actor, action: 'api_key.created', target: keyId }
  await deps.db.write(
    [
      insertApiKey({ keyId, ws, name, hash: hashToken(made.secret), createdBy: actor.identity }),
      insertAuditEntryIfChanged(entry),
    ],
    { retry: true },
  )
  const key = await findApiKey(deps.db, ws, keyId)
  if (key === null) throw new Error('The API key just made is gone.')
  return { text: formatApiKey(made), key }
}

/** @throws {AppError} not_found */
export const revokeApiKey = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, keyId, actor }: Readonly<{ ws: string; keyId: string; actor: Actor }>,
): Promise<ApiKey> => {
  const entry = { id: deps.newId(), ws, actor, action: 'api_key.revoked', target: keyId }
  await deps.db.write([revokeStatement(ws, keyId), insertAuditEntryIfChanged(entry)], {
    retry: true,
  })
  const key = await findApiKey(deps.db, ws, keyId)
  if (key === null) throw notFound('API key')
  return key
}

/** Compared with in place of the hash of a key that does not exist. */
const NO_HASH = hashToken('')

/**
 * Which key `text` is. Unknown, wrong and revoked keys fail alike, and after equal work.
 * @throws {AppError} unauthenticated
 */
export const verifyApiKey = async (db: Database, text: string): Promise<ApiKey> => {
  const parsed = parseApiKey(text)
  const holder = parsed === null ? null : await findApiKeyHolder(db, parsed.keyId)
  const given = Buffer.from(hashToken(parsed?.secret ?? ''), 'hex')
  const isRight = timingSafeEqual(given, Buffer.from(holder?.hash ?? NO_HASH, 'hex'))
  if (holder === null || !isRight || holder.key.revokedAt !== null) {
    throw new AppError('unauthenticated', 'This API key is unknown or was revoked.', {
      code: 'invalid_api_key',
    })
  }
  return holder.key
}
