import { issueApiKey, revokeApiKey } from '#service/customers/api-key.ts'
import type { Deps } from '#service/deps.ts'
import { type ApiKeyPosition, listApiKeys } from '#store/credentials/api-keys.ts'
import { created, ok } from '../answer.ts'
import { apiKeyEndpoints } from '../endpoints/api-keys.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, paginate, unknownCursor } from '../schemas/page.ts'

const toKey = ({ createdAt, keyId }: ApiKeyPosition): string => `${createdAt} ${keyId}`

/** @throws {AppError} invalid */
const toPosition = (cursor: string | undefined): ApiKeyPosition | null => {
  const key = decodeCursor(cursor)
  if (key === null) return null
  const [, createdAt, keyId] = /^(\d{1,15}) (ak_\w+)$/.exec(key) ?? []
  if (createdAt === undefined || keyId === undefined) {
    throw unknownCursor()
  }
  return { createdAt: Number(createdAt), keyId }
}

export const apiKeyRoutes = handlers(
  apiKeyEndpoints,
  (deps: Pick<Deps, 'db' | 'newId' | 'randomBytes'>) => ({
    listApiKeys: async ({ ws, query: { limit, cursor } }) => {
      const rows = await listApiKeys(deps.db, ws, { before: toPosition(cursor), limit: limit + 1 })
      return ok(paginate(rows, limit, toKey))
    },
    createApiKey: async ({ ws, body, actor }) => {
      const issued = await issueApiKey(deps, { ws, name: body.name, actor })
      return created({ ...issued.key, key: issued.text })
    },
    deleteApiKey: async ({ ws, params, actor }) =>
      ok(await revokeApiKey(deps, { ws, keyId: params.key_id, actor })),
  }),
)
