/** Sends notifications. It only reads when none is due. Any node may run it, since only one node makes each attempt. */
import type { Logger } from '#log/logger.ts'
import {
  createSending,
  hasRoom,
  type SendDeps,
  type SentNotification,
  startDueNotifications,
} from '#service/notify/send-due.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000

/**
 * Creates the duty; it runs when the next attempt is due, and each second while outcomes wait to be written. A turn does not wait
 * for the attempts that it starts.
 */
export const createNotifyDuty = (deps: SendDeps & Readonly<{ log: Logger }>): Duty => {
  const sending = createSending()
  const underWay = new Set<Promise<void>>()
  let want: () => void = () => undefined

  const warnOfUnwritten = (error: unknown): void =>
    deps.log.warn('Could not record notifications that were sent; trying again.', { error })
  const finish = async (attempt: Promise<SentNotification>): Promise<void> => {
    try {
      const { notification, isDelivered } = await attempt
      const { ws, id } = notification
      if (!isDelivered) deps.log.warn('A notification was not delivered.', { ws, id })
      if (hasRoom(sending, ws)) want()
    } catch (error) {
      warnOfUnwritten(error)
      want()
    }
  }
  const start = async (): Promise<number | undefined> => {
    const { attempts, mayBeMore, failure } = await startDueNotifications(deps, sending)
    for (const attempt of attempts) {
      const finished = finish(attempt).finally(() => underWay.delete(finished))
      underWay.add(finished)
    }
    // the duty waits before its next turn then
    if (failure !== null) throw failure.error
    return mayBeMore ? 0 : undefined
  }
  return {
    name: 'send-notifications',
    everyMs: EVERY_MS,
    dueMs: ({ notificationMs }) => notificationMs,
    onWanted: (wanted) => {
      want = wanted
      return () => {
        want = () => undefined
      }
    },
    runOnce: async () => {
      try {
        return await start()
      } catch (error) {
        if (sending.unwritten.size === 0) throw error
        warnOfUnwritten(error)
        return EVERY_MS
      }
    },
    settled: async () => {
      await Promise.all(underWay)
    },
  }
}
