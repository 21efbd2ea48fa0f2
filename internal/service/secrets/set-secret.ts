/** Sets and deletes variables and resources: encrypted at rest, bound to their workspace and key. */

import type { Actor } from '#core/access/actor.ts'
import { AppError, conflict, invalid, notFound } from '#core/error.ts'
import type { JsonValue } from '#core/json/value.ts'
import { VARIABLE_KEY } from '#core/key-patterns.ts'
import { limit } from '#core/limit.ts'
import { asNumber } from '#store/column.ts'
import type { StatementResult } from '#store/database.ts'
import type { RowMatch } from '#store/row-match.ts'
import {
  deleteSecret as deleteStatement,
  readIsSecretAsRead,
  type SecretBounds,
  type SecretTable,
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

const NAMES: Readonly<Record<SecretTable, string>> = {
  variables: 'Variable',
  resources: 'Resource',
}

const tooMany = (table: SecretTable): AppError =>
  conflict(
    `A workspace has at most ${BOUNDS.count} ${table}, of 4 MiB together. Delete some, or store data elsewhere.`,
    { code: `${table}_full` },
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

/** What the caller has read of the variable or resource. @default anything may be there */
type Matched = Readonly<{ match?: RowMatch }>

export type VariableRequest = Matched &
  Readonly<{
    ws: string
    key: string
    value: string
    isSecret: boolean
    actor: Actor
  }>

const changedMeanwhile = (table: SecretTable, key: string, match: RowMatch): AppError => {
  const name = `${NAMES[table]} "${key}"`
  return new AppError(
    'precondition_failed',
    match === 'none'
      ? `${name} exists already. Read it, then decide.`
      : `${name} is not the one that If-Match names. Read it again, then decide.`,
  )
}

type Written = Readonly<{ saved: StatementResult; asRead: StatementResult }>

/** Returns the time of the change. @throws {AppError} conflict; precondition_failed */
const timeOf = (
  { saved, asRead }: Written,
  table: SecretTable,
  { key, match = null }: Matched & Readonly<{ key: string }>,
): number => {
  const [row] = saved.rows
  if (row !== undefined) return asNumber(row.updated_at)
  const isFull = asNumber(asRead.rows[0]?.is_read) === 1
  throw isFull ? tooMany(table) : changedMeanwhile(table, key, match)
}

/**
 * Sets a variable.
 * @returns the time of the change, milliseconds since 1970
 * @throws {AppError} invalid, not_found, conflict `variables_full`, precondition_failed
 */
export const setVariable = async (deps: SecretDeps, request: VariableRequest): Promise<number> => {
  const { ws, key, value, isSecret, actor, match = null } = request
  checkKey(key)
  const ciphertext = await encrypt(deps, { ws, context: variableContext(key), text: value })
  const by = actor.identity
  const written = await deps.db.write(
    {
      asRead: readIsSecretAsRead('variables', { ws, key }, match),
      saved: upsertVariable({ ws, key, ciphertext, isSecret, by }, BOUNDS, match),
      audit: audited(deps, { ws, actor }, 'variable.set', key),
    },
    // repeated, it would find its own version
    { retry: match === null },
  )
  return timeOf(written, 'variables', request)
}

export type ResourceRequest = Matched &
  Readonly<{
    ws: string
    key: string
    type: string
    value: JsonValue
    actor: Actor
  }>

/**
 * Sets a resource.
 * @returns the time of the change, milliseconds since 1970
 * @throws {AppError} invalid, not_found, conflict `resources_full`, precondition_failed
 */
export const setResource = async (deps: SecretDeps, request: ResourceRequest): Promise<number> => {
  const { ws, key, type, value, actor, match = null } = request
  checkKey(key)
  const text = JSON.stringify(value)
  const ciphertext = await encrypt(deps, { ws, context: resourceContext(key), text })
  const by = actor.identity
  const written = await deps.db.write(
    {
      asRead: readIsSecretAsRead('resources', { ws, key }, match),
      saved: upsertResource({ ws, key, type, ciphertext, by }, BOUNDS, match),
      audit: audited(deps, { ws, actor }, 'resource.set', key),
    },
    { retry: match === null },
  )
  return timeOf(written, 'resources', request)
}

export type SecretDeletion = Matched & Readonly<{ ws: string; key: string; actor: Actor }>

type DeleteSecret = (deps: Pick<Deps, 'db' | 'newId'>, deletion: SecretDeletion) => Promise<void>

const deleteFrom =
  (table: SecretTable, action: string): DeleteSecret =>
  async (deps, { ws, key, actor, match = null }) => {
    const { found, deleted } = await deps.db.write({
      found: readIsSecretAsRead(table, { ws, key }, 'any'),
      deleted: deleteStatement(table, { ws, key }, match),
      audit: audited(deps, { ws, actor }, action, key),
    })
    if (deleted.changes === 1) return
    const isThere = asNumber(found.rows[0]?.is_read) === 1
    throw isThere ? changedMeanwhile(table, key, match) : notFound(`${NAMES[table]} "${key}"`)
  }

/** Deletes a variable. @throws {AppError} not_found; precondition_failed */
export const deleteVariable = deleteFrom('variables', 'variable.deleted')

/** Deletes a resource. @throws {AppError} not_found; precondition_failed */
export const deleteResource = deleteFrom('resources', 'resource.deleted')
