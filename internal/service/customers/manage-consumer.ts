/** Use cases of customers (`consumers` in API and database), their grants and their keys [access 11.1]. */

import type { Actor } from '#core/access/actor.ts'
import { makeTokenText, TOKEN_RANDOM_BYTES } from '#core/access/token-text.ts'
import { notFound, unprocessable } from '#core/error.ts'
import {
  type ConsumerKey,
  deleteSomeConsumerKeys,
  findConsumerKey,
  hasManyConsumerKeys,
  insertConsumerKey,
  revokeConsumerKey as revokeStatement,
} from '#store/credentials/consumer-keys.ts'
import {
  type Consumer,
  type ConsumerChange,
  deleteConsumer as deleteStatements,
  findConsumer,
  findUnknownGrants,
  type Grant,
  grantsContent,
  insertConsumer,
  replaceGrants as replaceStatements,
  updateConsumer as updateStatement,
} from '#store/credentials/consumers.ts'
import type { ContentMatch } from '#store/row-match.ts'
import { hashToken } from '../access/hash-token.ts'
import { audited } from '../audited.ts'
import { changeAsRead } from '../change-as-read.ts'
import type { Deps } from '../deps.ts'
import { takeTurn } from '../portions/take-turn.ts'

type ConsumerDeps = Pick<Deps, 'db' | 'newId'>

/** The customer and the caller. */
export type ConsumerAct = Readonly<{ ws: string; id: string; actor: Actor }>

/** Reads a customer. @throws {AppError} not_found */
export const requireConsumer = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  id: string,
): Promise<Consumer> => {
  const consumer = await findConsumer(db, ws, id)
  if (consumer === null) throw notFound('Customer')
  return consumer
}

export type ConsumerRequest = Readonly<{
  ws: string
  name: string
  externalRef: string | null
  actor: Actor
}>

/** Creates a customer without grants and keys. */
export const createConsumer = async (
  deps: ConsumerDeps,
  { ws, name, externalRef, actor }: ConsumerRequest,
): Promise<Consumer> => {
  const id = deps.newId()
  await deps.db.write(
    [
      insertConsumer({ id, ws, name, externalRef, createdBy: actor.identity }),
      audited(deps, { ws, actor }, 'consumer.created', id),
    ],
    { retry: true },
  )
  return requireConsumer(deps, ws, id)
}

const actionOf = ({ isDisabled }: ConsumerChange): string =>
  isDisabled === undefined
    ? 'consumer.updated'
    : isDisabled
      ? 'consumer.disabled'
      : 'consumer.enabled'

/** Changes a customer. Disabling it blocks all its keys at once. @throws {AppError} not_found */
export const updateConsumer = async (
  deps: ConsumerDeps,
  { ws, id, actor }: ConsumerAct,
  change: ConsumerChange,
): Promise<Consumer> => {
  await deps.db.write(
    [updateStatement(ws, id, change), audited(deps, { ws, actor }, actionOf(change), id)],
    {
      retry: true,
    },
  )
  return requireConsumer(deps, ws, id)
}

/** Keys of one write, which takes a few milliseconds. */
const KEYS_PER_WRITE = 500

/**
 * Deletes keys of a customer in small writes, but for a few: there may be hundreds of thousands. Nearly all customers have few keys,
 * and lose none if the customer is not deleted then.
 */
const deleteManyKeys = async ({ db }: Pick<Deps, 'db'>, ws: string, id: string): Promise<void> => {
  while (await hasManyConsumerKeys(db, { ws, id }, KEYS_PER_WRITE)) {
    await db.write([deleteSomeConsumerKeys(ws, id, KEYS_PER_WRITE)], { retry: true })
    await takeTurn()
  }
}

/** Deletes a customer; its keys stop working at once, its jobs and billing records stay. @throws {AppError} not_found */
export const deleteConsumer = async (
  deps: ConsumerDeps,
  { ws, id, actor }: ConsumerAct,
): Promise<void> => {
  await requireConsumer(deps, ws, id)
  await deleteManyKeys(deps, ws, id)
  await deps.db.write(
    [...deleteStatements(ws, id), audited(deps, { ws, actor }, 'consumer.deleted', id)],
    {
      retry: true,
    },
  )
}

/**
 * Replaces all grants in one write; a removed grant permits no further call.
 * @param match what the caller has read of the grants
 * @throws {AppError} not_found; precondition_failed; unprocessable `unknown_action`, with the place of each in `details`
 */
export const replaceGrants = async (
  deps: ConsumerDeps,
  { ws, id, actor, match = null }: ConsumerAct & Readonly<{ match?: ContentMatch }>,
  grants: readonly Grant[],
): Promise<Consumer> => {
  await requireConsumer(deps, ws, id)
  await checkGrants(deps, ws, grants)
  await changeAsRead(deps, { content: grantsContent(ws, id), match }, (guard) =>
    deps.db.write(
      [
        ...guard,
        updateStatement(ws, id, {}),
        audited(deps, { ws, actor }, 'consumer.grants_replaced', id),
        ...replaceStatements(ws, id, grants),
      ],
      { retry: match === null },
    ),
  )
  return requireConsumer(deps, ws, id)
}

const checkGrants = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  grants: readonly Grant[],
): Promise<void> => {
  const unknown = await findUnknownGrants(db, ws, grants)
  if (unknown.length === 0) return
  const details = unknown.map((index) => ({
    path: `body.grants.${index}`,
    message: `There is no action "${grants[index]?.action}" in an app "${grants[index]?.app}".`,
  }))
  throw unprocessable('A grant names an action that is not deployed.', {
    code: 'unknown_action',
    details,
  })
}

export type ConsumerKeyRequest = Readonly<{
  label: string
  /** Null for a key that never expires. */
  expiresInDays: number | null
}>

/** A new key. Only this result contains its text, because only its hash is stored. */
export type IssuedConsumerKey = Readonly<{ text: string; key: ConsumerKey }>

/** Creates a key of a customer. @throws {AppError} not_found */
export const issueConsumerKey = async (
  deps: ConsumerDeps & Pick<Deps, 'randomBytes'>,
  { ws, id: consumerId, actor }: ConsumerAct,
  { label, expiresInDays }: ConsumerKeyRequest,
): Promise<IssuedConsumerKey> => {
  const id = deps.newId()
  const { text, prefix } = makeTokenText('customer_key', deps.randomBytes(TOKEN_RANDOM_BYTES))
  const hash = hashToken(text)
  const createdBy = actor.identity
  await deps.db.write(
    [
      insertConsumerKey({ id, ws, consumerId, label, hash, prefix, expiresInDays, createdBy }),
      audited(deps, { ws, actor }, 'consumer_key.created', id),
    ],
    { retry: true },
  )
  const key = await findConsumerKey(deps.db, ws, consumerId, id)
  if (key === null) throw notFound('Customer')
  return { text, key }
}

/** Revokes a key; revoking twice is allowed. @throws {AppError} not_found */
export const revokeConsumerKey = async (
  deps: ConsumerDeps,
  { ws, id: consumerId, actor }: ConsumerAct,
  keyId: string,
): Promise<ConsumerKey> => {
  await deps.db.write(
    [
      revokeStatement(ws, consumerId, keyId),
      audited(deps, { ws, actor }, 'consumer_key.revoked', keyId),
    ],
    {
      retry: true,
    },
  )
  const key = await findConsumerKey(deps.db, ws, consumerId, keyId)
  if (key === null) throw notFound('Customer key')
  return key
}
