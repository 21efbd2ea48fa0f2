/** Sends a test to a target, in the same way as every notification [notifications 2.5]. */
import type { Actor } from '#core/access/actor.ts'
import type { NotifyTarget } from '#core/notify/rule.ts'
import { insertTest } from '#store/notifications.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { spendTest } from './send-budget.ts'

/** @returns the id of its delivery @throws {AppError} rate_limited `too_many_tests` */
export const testNotification = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  { ws, target, actor }: Readonly<{ ws: string; target: NotifyTarget; actor: Actor }>,
): Promise<string> => {
  await spendTest(deps, ws)
  const id = deps.newId()
  const record = audited(deps, { ws, actor }, 'notification.tested', id)
  await deps.db.write([insertTest(ws, { id, target }), record], { retry: true })
  return `test:${id}`
}
