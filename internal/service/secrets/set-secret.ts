/** Sets and deletes variables and resources: encrypted at rest, bound to their workspace and key. */

import type { Actor } from '#core/access/actor.ts'
import { type AppError, conflict, invalid, notFound } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import { VARIABLE_KEY } from '#core/key-patterns.ts'
import { limit } from '#core/limit.ts'
import { asNumber } from '#store/column.ts'
import {
  deleteResource as deleteResourceStatement,
  deleteVariable as deleteVariableStatement,
  type SecretBounds,
  upsertResource,
  upsertVariable,
} from '#store/secrets.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { requireWorkspace } from '../workspaces/require-workspace.ts'
import { resourceContext, variableContext } from './secret-context.ts'

type SecretDeps = Pick<Deps, 'db' | 'newId' | 'keyring'>

const MAX_VALUE_LENGTH = limit(
  'workspace.variable',
  65_536,
  'characters',
  'Value of a variable or resource.',
)

/** Each job of the workspace starts with all variables and resources. To decrypt 4 MiB takes about 60 ms. */
const BOUNDS: SecretBounds = {
  count: limit(
    'workspace.variables',
    1_000,
    'items',
    'Variables of a workspace; as many resources. More: 409 `variables_full` or `resources_full`.',
  ),
  bytes: limit(
    'workspace.variable_bytes',
    4 * 1_024 * 1_024,
    'bytes',
    'Encrypted values of all variables of a workspace; as much for its resources. More: 409, as above.',
  ),
}

const isFull = (what: string, code: string): AppError =>
  conflict(
    `A workspace has at most ${BOUNDS.count} ${what}, of 4 MiB together. Delete some, or store data elsewhere.`,
    { code },
  )

const checkKey = (key: string): void => {
  if (!VARIABLE_KEY.test(key)) {
    throw invalid(
      'A key has 1 to 128 characters A-Z, a-z, 0-9, _ . - and begins with a letter or _.',
    )
  }
}

const encrypt = async (
  deps: SecretDeps,
  { ws, context, text }: Readonly<{ ws: string; context: string; text: string }>,
): Promise<string> => {
  if (text.length > MAX_VALUE_LENGTH)
    throw invalid(`A value has at most ${MAX_VALUE_LENGTH} characters.`)
  const { wrappedKey } = await requireWorkspace(deps, ws)
  return deps.keyring.encrypt(wrappedKey, ws, context, text)
}

export type VariableRequest = Readonly<{
  ws: string
  key: string
  value: string
  isSecret: boolean
  actor: Actor
}>

/**
 * Sets a variable.
 * @returns the time of the change, milliseconds since 1970
 * @throws {AppError} invalid, not_found, conflict `variables_full`
 */
export const setVariable = async (deps: SecretDeps, request: VariableRequest): Promise<number> => {
  const { ws, key, value, isSecret, actor } = request
  checkKey(key)
  const ciphertext = await encrypt(deps, { ws, context: variableContext(key), text: value })
  const by = actor.identity
  const { variable } = await deps.db.write(
    {
      variable: upsertVariable({ ws, key, ciphertext, isSecret, by }, BOUNDS),
      audit: audited(deps, { ws, actor }, 'variable.set', key),
    },
    { retry: true },
  )
  if (variable.rows.length === 0) throw isFull('variables', 'variables_full')
  return asNumber(variable.rows[0]?.updated_at)
}

export type ResourceRequest = Readonly<{
  ws: string
  key: string
  type: string
  value: JsonValue
  actor: Actor
}>

/**
 * Sets a resource.
 * @returns the time of the change, milliseconds since 1970
 * @throws {AppError} invalid, not_found, conflict `resources_full`
 */
export const setResource = async (deps: SecretDeps, request: ResourceRequest): Promise<number> => {
  const { ws, key, type, value, actor } = request
  checkKey(key)
  const text = JSON.stringify(value)
  const ciphertext = await encrypt(deps, { ws, context: resourceContext(key), text })
  const by = actor.identity
  const { resource } = await deps.db.write(
    {
      resource: upsertResource({ ws, key, type, ciphertext, by }, BOUNDS),
      audit: audited(deps, { ws, actor }, 'resource.set', key),
    },
    { retry: true },
  )
  if (resource.rows.length === 0) throw isFull('resources', 'resources_full')
  return asNumber(resource.rows[0]?.updated_at)
}

export type SecretDeletion = Readonly<{ ws: string; key: string; actor: Actor }>

/** Deletes a variable. @throws {AppError} not_found */
export const deleteVariable = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, key, actor }: SecretDeletion,
): Promise<void> => {
  const { variable } = await deps.db.write({
    variable: deleteVariableStatement(ws, key),
    audit: audited(deps, { ws, actor }, 'variable.deleted', key),
  })
  if (variable.changes !== 1) throw notFound(`Variable "${key}"`)
}

/** Deletes a resource. @throws {AppError} not_found */
export const deleteResource = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, key, actor }: SecretDeletion,
): Promise<void> => {
  const { resource } = await deps.db.write({
    resource: deleteResourceStatement(ws, key),
    audit: audited(deps, { ws, actor }, 'resource.deleted', key),
  })
  if (resource.changes !== 1) throw notFound(`Resource "${key}"`)
}
