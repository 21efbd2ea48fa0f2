import type { Actor } from '#core/access/actor.ts'
import { invalid } from '#core/error.ts'
import type { Deps } from '#service/deps.ts'
import { variableContext } from '#service/secrets/secret-context.ts'
import {
  deleteResource,
  deleteVariable,
  setResource,
  setVariable,
} from '#service/secrets/set-secret.ts'
import type { RowMatch } from '#store/row-match.ts'
import { listResources, listVariables } from '#store/secrets.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { answer, noContent, ok } from '../answer.ts'
import { secretEndpoints } from '../endpoints/secrets.ts'
import { handlers } from '../handlers.ts'
import { etagOf, readMatch, readMatchOrNone } from '../row-match.ts'
import { pageOfShortList } from '../schemas/page.ts'

type SecretDeps = Pick<Deps, 'db' | 'newId' | 'keyring'>

const readableVariables = async ({ db, keyring }: Pick<Deps, 'db' | 'keyring'>, ws: string) => {
  const workspace = await findWorkspace(db, ws)
  if (workspace === null) return []
  return (await listVariables(db, ws)).map((row) => ({
    key: row.key,
    secret: row.isSecret,
    ...(row.isSecret
      ? {}
      : {
          value: keyring.decrypt(
            workspace.wrappedKey,
            ws,
            variableContext(row.key),
            row.ciphertext,
          ),
        }),
    updatedBy: row.updatedBy,
    updatedAt: row.updatedAt,
  }))
}

type NewVariable = Readonly<{
  ws: string
  key: string
  value: string
  secret: boolean
  actor: Actor
  match: RowMatch
}>

const writeVariable = async (deps: SecretDeps, { secret, ...variable }: NewVariable) => {
  const updatedAt = await setVariable(deps, { ...variable, isSecret: secret })
  return { key: variable.key, secret, updatedBy: variable.actor.identity, updatedAt }
}

export const secretRoutes = handlers(secretEndpoints, (deps: SecretDeps) => ({
  listVariables: async ({ ws, query }) =>
    ok(pageOfShortList(await readableVariables(deps, ws), query, ({ key }) => key)),
  createVariable: async ({ ws, body, actor, header }) => {
    const set = await writeVariable(deps, { ws, actor, ...body, match: readMatchOrNone(header) })
    return answer(201, set, etagOf(set))
  },
  setVariable: async ({ ws, params: { key }, body, actor, header }) => {
    const { key: named = key, ...variable } = body
    if (named !== key) throw invalid('`key` must be the key of the path.')
    const match = readMatchOrNone(header)
    const set = await writeVariable(deps, { ws, key, actor, ...variable, match })
    return answer(200, set, etagOf(set))
  },
  deleteVariable: async ({ ws, params: { key }, actor, header }) => {
    await deleteVariable(deps, { ws, key, actor, match: readMatch(header) })
    return noContent()
  },
  listResources: async ({ ws, query }) =>
    ok(pageOfShortList(await listResources(deps.db, ws), query, ({ key }) => key)),
  createResource: async ({ ws, body, actor, header }) => {
    const { key, type } = body
    const match = readMatchOrNone(header)
    const updatedAt = await setResource(deps, { ws, actor, ...body, match })
    const set = { key, type, updatedBy: actor.identity, updatedAt }
    return answer(201, set, etagOf(set))
  },
  deleteResource: async ({ ws, params: { key }, actor, header }) => {
    await deleteResource(deps, { ws, key, actor, match: readMatch(header) })
    return noContent()
  },
}))
