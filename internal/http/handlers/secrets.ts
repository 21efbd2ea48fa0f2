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
import { listResources, listVariables } from '#store/secrets.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import { created, noContent, ok } from '../answer.ts'
import { secretEndpoints } from '../endpoints/secrets.ts'
import { handlers } from '../handlers.ts'
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
}>

const writeVariable = async (deps: SecretDeps, { secret, ...variable }: NewVariable) => {
  const updatedAt = await setVariable(deps, { ...variable, isSecret: secret })
  return { key: variable.key, secret, updatedBy: variable.actor.identity, updatedAt }
}

export const secretRoutes = handlers(secretEndpoints, (deps: SecretDeps) => ({
  listVariables: async ({ ws, query }) =>
    ok(pageOfShortList(await readableVariables(deps, ws), query, ({ key }) => key)),
  createVariable: async ({ ws, body: { key, ...variable }, actor }) =>
    created(await writeVariable(deps, { ws, key, actor, ...variable })),
  setVariable: async ({ ws, params: { key }, body: { key: named = key, ...variable }, actor }) => {
    if (named !== key) throw invalid('`key` must be the key of the path.')
    return ok(await writeVariable(deps, { ws, key, actor, ...variable }))
  },
  deleteVariable: async ({ ws, params: { key }, actor }) => {
    await deleteVariable(deps, { ws, key, actor })
    return noContent()
  },
  listResources: async ({ ws, query }) =>
    ok(pageOfShortList(await listResources(deps.db, ws), query, ({ key }) => key)),
  createResource: async ({ ws, body, actor }) => {
    const { key, type, value } = body
    const at = await setResource(deps, { ws, key, type, value, actor })
    return created({ key, type, updatedBy: actor.identity, updatedAt: at })
  },
  deleteResource: async ({ ws, params: { key }, actor }) => {
    await deleteResource(deps, { ws, key, actor })
    return noContent()
  },
}))
