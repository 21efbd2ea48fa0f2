/** Sends notifications. It only reads when none is due. Any node may run it, since only one node makes each attempt. */
import type { Logger } from '#log/logger.ts'
import { type SendDeps, sendDueNotifications, type Unwritten } from '#service/notify/send-due.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000

/** Creates the duty; it runs when the next attempt is due, and each second while outcomes wait to be written. */
export const createNotifyDuty = (deps: SendDeps & Readonly<{ log: Logger }>): Duty => {
  const unwritten: Unwritten = new Set()
  const send = async (): Promise<number | undefined> => {
    const sent = await sendDueNotifications(deps, unwritten)
    for (const { notification, isDelivered } of sent) {
      const { ws, id } = notification
      if (!isDelivered) deps.log.warn('A notification was not delivered.', { ws, id })
    }
    return sent.length === 0 ? undefined : 0
  }
  return {
    name: 'send-notifications',
    everyMs: EVERY_MS,
    dueMs: ({ notificationMs }) => notificationMs,
    runOnce: async () => {
      try {
        return await send()
      } catch (error) {
        if (unwritten.size === 0) throw error
        deps.log.warn('Could not record notifications that were sent; trying again.', { error })
        return EVERY_MS
      }
    },
  }
}
