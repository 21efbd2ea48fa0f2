/** Creates, verifies and revokes API keys of the parser and the relay [access 12.1]. */
import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '#core/access/actor.ts'
import {
  API_KEY_RANDOM_BYTES,
  formatApiKey,
  makeApiKeyText,
  parseApiKey,
} from '#core/access/api-key-text.ts'
import { AppError, notFound } from '#core/error.ts'
import {
  type ApiKey,
  findApiKey,
  findApiKeyHolder,
  insertApiKey,
  revokeApiKey as revokeStatement,
} from '#store/credentials/api-keys.ts'
import type { Database } from '#store/database.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'

/** A new key. Only this result contains its text, because only its hash is stored. */
export type IssuedApiKey = Readonly<{ text: string; key: ApiKey }>

/** Creates an API key. */
export const issueApiKey = async (
  deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>,
  { ws, name, actor }: Readonly<{ ws: string; name: string; actor: Actor }>,
): Promise<IssuedApiKey> => {
  const made = makeApiKeyText(deps.randomBytes(API_KEY_RANDOM_BYTES))
  const { keyId } = made
  await deps.db.write(
    [
      insertApiKey({ keyId, ws, name, hash: hashToken(made.secret), createdBy: actor.identity }),
      audited(deps, { ws, actor }, 'api_key.created', keyId),
    ],
    { retry: true },
  )
  const key = await findApiKey(deps.db, ws, keyId)
  if (key === null) throw new Error('The new API key was not found.')
  return { text: formatApiKey(made), key }
}

/** Revokes an API key; revoking twice is allowed. @throws {AppError} not_found */
export const revokeApiKey = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, keyId, actor }: Readonly<{ ws: string; keyId: string; actor: Actor }>,
): Promise<ApiKey> => {
  await deps.db.write(
    [revokeStatement(ws, keyId), audited(deps, { ws, actor }, 'api_key.revoked', keyId)],
    {
      retry: true,
    },
  )
  const key = await findApiKey(deps.db, ws, keyId)
  if (key === null) throw notFound('API key')
  return key
}

/** Compared instead of a stored hash when the key does not exist, so that timing reveals nothing. */
const NO_HASH = hashToken('')

/**
 * Finds the key of a text. Unknown, wrong and revoked keys get the same error after the same work.
 * @throws {AppError} unauthenticated
 */
export const verifyApiKey = async (db: Database, text: string): Promise<ApiKey> => {
  const parsed = parseApiKey(text)
  const holder = parsed === null ? null : await findApiKeyHolder(db, parsed.keyId)
  const given = Buffer.from(hashToken(parsed?.secret ?? ''), 'hex')
  const isRight = timingSafeEqual(given, Buffer.from(holder?.hash ?? NO_HASH, 'hex'))
  if (holder === null || !isRight || holder.key.revokedAt !== null) {
    throw new AppError(
      'unauthenticated',
      'This API key is unknown or was revoked. Create one in the console under API keys. An API token is not an API key.',
      { code: 'invalid_api_key' },
    )
  }
  return holder.key
}
