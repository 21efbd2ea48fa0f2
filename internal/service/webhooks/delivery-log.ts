/**
 * Records how deliveries were answered. The record of a delivery that starts something is part of the same batch
 * (receive-delivery.ts). The others are written together a little later, so that a flood of refused calls costs few writes.
 */
import type { Logger } from '#log/logger.ts'
import {
  KEPT_DELIVERIES,
  pruneDeliveries,
  upsertDeliveries,
  type WebhookAddress,
  type WebhookDelivery,
} from '#store/webhooks/deliveries.ts'
import type { Deps } from '../deps.ts'

const FLUSH_MS = 250
/** Webhooks with pending records. Beyond it, records of further webhooks are dropped until the next write. */
const MOST_WEBHOOKS = 1_000

export type AnsweredDelivery = WebhookDelivery &
  Readonly<{
    /** Keys of the variables that the webhook names, for the log if none of them has a value. */
    variables: readonly string[]
  }>

export interface DeliveryLog {
  add(delivery: AnsweredDelivery): void
  /** Writes all pending records; readers call it first, so that they see what this process has answered. */
  flush(): Promise<void>
  /** Writes all pending records and stops. */
  close(): Promise<void>
}

type Waiting = Map<string, AnsweredDelivery[]>

const keyOf = ({ ws, app, webhook }: WebhookAddress): string => `${ws}/${app}/${webhook}`

/** Warns the operator of a missing variable: the sender only learns that the signature does not fit. */
const logMissing = (log: Pick<Logger, 'warn'>, deliveries: readonly AnsweredDelivery[]): void => {
  const missing = deliveries.find(({ reason }) => reason === 'missing_variable')
  if (missing === undefined) return
  const { ws, app, webhook, variables } = missing
  const message =
    'A webhook refused deliveries, because no variable that it names has a value. Set one.'
  log.warn(message, { ws, app, webhook, variables })
}

/** Creates the delivery log of one server. */
export const createDeliveryLog = (
  { db }: Pick<Deps, 'db'>,
  log: Pick<Logger, 'warn'>,
): DeliveryLog => {
  let waiting: Waiting = new Map()
  let writing: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  const write = async (): Promise<void> => {
    const lists = [...waiting.values()]
    waiting = new Map()
    const deliveries = lists.flat()
    if (deliveries.length === 0) return
    const first = lists.flatMap(([delivery]) => delivery ?? [])
    for (const list of lists) logMissing(log, list)
    try {
      await db.write([upsertDeliveries(deliveries), ...first.map(pruneDeliveries)], { retry: true })
    } catch (error) {
      // the deliveries were answered; only their record is lost
      log.warn('Could not record deliveries of webhooks.', { count: deliveries.length, error })
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    add: (delivery) => {
      const key = keyOf(delivery)
      const list = waiting.get(key) ?? []
      if (list.length === 0 && waiting.size >= MOST_WEBHOOKS) return
      // older ones would be pruned at once
      if (list.length >= KEPT_DELIVERIES) list.shift()
      list.push(delivery)
      waiting.set(key, list)
      timer ??= setTimeout(() => void flush(), FLUSH_MS)
    },
    flush,
    close: flush,
  }
}
