/** Sends notifications. It only reads when none is due. Any node may run it, since only one node makes each attempt. */
import type { Logger } from '#log/logger.ts'
import { type SendDeps, sendDueNotifications } from '#service/notify/send-due.ts'
import type { Duty } from '../turns.ts'

const EVERY_MS = 1_000

/** Creates the duty; it runs when the next attempt is due. */
export const createNotifyDuty = (deps: SendDeps & Readonly<{ log: Logger }>): Duty => ({
  name: 'send-notifications',
  everyMs: EVERY_MS,
  dueMs: ({ notificationMs }) => notificationMs,
  runOnce: async () => {
    const sent = await sendDueNotifications(deps)
    for (const { notification, isDelivered } of sent) {
      const { ws, id } = notification
      if (!isDelivered) deps.log.warn('A notification was not delivered.', { ws, id })
    }
    return sent.length === 0 ? undefined : 0
  },
})
