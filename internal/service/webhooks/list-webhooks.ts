/** Lists webhooks for their owners: where they are called, and how their deliveries ended. */
import { targetOf } from '#core/webhook/definition.ts'
import { secretKeysOf } from '#core/webhook/schemes.ts'
import { listDeliveries as listRows, type StoredDelivery } from '#store/webhooks/deliveries.ts'
import {
  findListedWebhook,
  type ListedWebhook,
  listWebhooks as listRowsOf,
  type WebhookKey,
} from '#store/webhooks/webhooks.ts'
import type { Deps } from '../deps.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { findWebhook, unknownWebhook, variablesOf } from './find-webhook.ts'

export type ListDeps = Pick<Deps, 'db' | 'keyring'> & Readonly<{ deliveries: DeliveryLog }>

const describe = (deps: ListDeps, ws: string, row: ListedWebhook) => {
  const { app, definition, deployedBy, lastReceivedAt, lastStatus } = row
  const { key, verify } = definition
  const target = targetOf(definition)
  const set = variablesOf(deps, ws, row)
  const secrets = secretKeysOf(verify).map((name) => ({ key: name, isSet: set.has(name) }))
  return {
    app,
    key,
    target: `${app}/${target.key}`,
    targetKind: target.kind,
    scheme: verify.scheme,
    lastReceivedAt,
    lastStatus,
    /** Null if the scheme needs no secret. */
    secretSet: verify.scheme === 'none' ? null : secrets.some(({ isSet }) => isSet),
    secrets,
    definition,
    deployedBy,
  }
}
export type DescribedWebhook = ReturnType<typeof describe>

export type WebhookListPage = Readonly<{
  /** `app/key` of the last webhook of the page before. */
  after: string | null
  limit: number
}>

/** Lists webhooks by app and key. */
export const listWebhooks = async (
  deps: ListDeps,
  ws: string,
  { after, limit }: WebhookListPage,
): Promise<readonly DescribedWebhook[]> => {
  await deps.deliveries.flush()
  const [afterApp = '', afterKey = ''] = after?.split('/') ?? []
  const rows = await listRowsOf(deps.db, ws, { afterApp, afterKey, limit })
  return rows.map((row) => describe(deps, ws, row))
}

/** @throws {AppError} not_found */
export const readWebhook = async (deps: ListDeps, at: WebhookKey): Promise<DescribedWebhook> => {
  await deps.deliveries.flush()
  const row = await findListedWebhook(deps.db, at)
  if (row === null) throw unknownWebhook()
  return describe(deps, at.ws, row)
}

/** Lists the last deliveries, newest first. @throws {AppError} not_found */
export const listDeliveries = async (
  deps: ListDeps,
  at: WebhookKey,
): Promise<readonly StoredDelivery[]> => {
  await findWebhook(deps, at)
  await deps.deliveries.flush()
  return listRows(deps.db, { ws: at.ws, app: at.app, webhook: at.key })
}
