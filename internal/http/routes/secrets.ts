/**
 * GET, POST   /api/w/{ws}/variables
 * PUT, DELETE /api/w/{ws}/variables/{key}
 * GET, POST   /api/w/{ws}/resources
 * DELETE      /api/w/{ws}/resources/{key}
 */
import type { Deps } from '#service/deps.ts'
import { variableContext } from '#service/secret-context.ts'
import { deleteResource, deleteVariable, setResource, setVariable } from '#service/set-secret.ts'
import { listResources, listVariables } from '#store/secrets.ts'
import { findWorkspace } from '#store/workspaces.ts'
import { problem, type Route, reply, route } from '../route.ts'
import { toTimestamp } from '../schemas/time.ts'
import { jsonValue, z } from '../schemas/z.ts'

const variable = z
  .object({
    key: z.string(),
    secret: z.boolean(),
    value: z.string().optional().describe('never for secret variables'),
    updated_by: z.string(),
    updated_at: z.string(),
  })
  .openapi('Variable')

const resource = z
  .object({
    key: z.string(),
    type: z.string(),
    updated_by: z.string(),
    updated_at: z.string(),
  })
  .openapi('Resource')

const variableValue = z.strictObject({ value: z.string(), secret: z.boolean().default(true) })
const newVariable = variableValue.extend({ key: z.string() })
const newResource = z.strictObject({
  key: z.string(),
  type: z.string().min(1).max(64),
  value: jsonValue,
})
const keyParams = z.object({ ws: z.string(), key: z.string() })

/** The one page of a small list, in the form of every list. */
const wholeList = (items: readonly unknown[]) => ({ items, pagination: { next_cursor: null } })
const listOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), pagination: z.object({ next_cursor: z.null() }) })

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
    updated_by: row.updatedBy,
    updated_at: toTimestamp(row.updatedAt),
  }))
}

const variableRoutes = (deps: SecretDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/variables',
    operationId: 'listVariables',
    scope: 'variables:read',
    tag: 'Variables',
    summary: 'Variables; values of secret ones never',
    responses: { 200: { description: 'All variables', schema: listOf(variable) } },
    handler: async ({ ws }) => reply(200, wholeList(await readableVariables(deps, ws))),
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/variables',
    operationId: 'createVariable',
    scope: 'variables:write',
    tag: 'Variables',
    summary: 'Set a variable',
    body: newVariable,
    responses: { 201: { description: 'Set', schema: variable }, 400: problem('Bad key') },
    handler: async ({ ws, body, actor }) => {
      const { key, value, secret } = body
      const at = await setVariable(deps, {
        ws,
        key,
        value,
        isSecret: secret,
        actor,
      })
      return reply(201, {
        key,
        secret,
        updated_by: actor.identity,
        updated_at: toTimestamp(at),
      })
    },
  }),
  route({
    method: 'put',
    path: '/api/w/{ws}/variables/{key}',
    operationId: 'setVariable',
    scope: 'variables:write',
    tag: 'Variables',
    summary: 'Set a variable',
    params: keyParams,
    body: variableValue,
    responses: { 200: { description: 'Set', schema: variable }, 400: problem('Bad key') },
    handler: async ({ ws, params: { key }, body, actor }) => {
      const { value, secret } = body
      const at = await setVariable(deps, {
        ws,
        key,
        value,
        isSecret: secret,
        actor,
      })
      return reply(200, {
        key,
        secret,
        updated_by: actor.identity,
        updated_at: toTimestamp(at),
      })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/variables/{key}',
    operationId: 'deleteVariable',
    scope: 'variables:write',
    tag: 'Variables',
    summary: 'Delete a variable',
    params: keyParams,
    responses: { 204: { description: 'Deleted' }, 404: problem('Unknown key') },
    handler: async ({ ws, params: { key }, actor }) => {
      await deleteVariable(deps, { ws, key, actor })
      return reply(204)
    },
  }),
]

const resourceRoutes = (deps: SecretDeps): readonly Route[] => [
  route({
    method: 'get',
    path: '/api/w/{ws}/resources',
    operationId: 'listResources',
    scope: 'resources:read',
    tag: 'Resources',
    summary: 'Resources, without their values',
    responses: { 200: { description: 'All resources', schema: listOf(resource) } },
    handler: async ({ ws }) => {
      const rows = await listResources(deps.db, ws)
      return reply(
        200,
        wholeList(
          rows.map((row) => ({
            key: row.key,
            type: row.type,
            updated_by: row.updatedBy,
            updated_at: toTimestamp(row.updatedAt),
          })),
        ),
      )
    },
  }),
  route({
    method: 'post',
    path: '/api/w/{ws}/resources',
    operationId: 'createResource',
    scope: 'resources:write',
    tag: 'Resources',
    summary: 'Set a resource',
    body: newResource,
    responses: { 201: { description: 'Set', schema: resource }, 400: problem('Bad key') },
    handler: async ({ ws, body, actor }) => {
      const { key, type, value } = body
      const at = await setResource(deps, { ws, key, type, value, actor })
      return reply(201, { key, type, updated_by: actor.identity, updated_at: toTimestamp(at) })
    },
  }),
  route({
    method: 'delete',
    path: '/api/w/{ws}/resources/{key}',
    operationId: 'deleteResource',
    scope: 'resources:write',
    tag: 'Resources',
    summary: 'Delete a resource',
    params: keyParams,
    responses: { 204: { description: 'Deleted' }, 404: problem('Unknown key') },
    handler: async ({ ws, params: { key }, actor }) => {
      await deleteResource(deps, { ws, key, actor })
      return reply(204)
    },
  }),
]

export const secretRoutes = (deps: SecretDeps): readonly Route[] => [
  ...variableRoutes(deps),
  ...resourceRoutes(deps),
]
