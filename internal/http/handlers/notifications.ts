import { shownTarget } from '#core/notify/rule.ts'
import type { Deps } from '#service/deps.ts'
import { testNotification } from '#service/notify/test-notification.ts'
import { listNotifications, type Notification } from '#store/notifications.ts'
import { answer, ok } from '../answer.ts'
import { notificationEndpoints } from '../endpoints/notifications.ts'
import { handlers } from '../handlers.ts'
import { decodeCursor, paginate, unknownCursor } from '../schemas/page.ts'

const toDelivery = (row: Notification) => ({
  ...row,
  type: row.event,
  target: shownTarget(row.target),
  nextAttemptAt: row.nextAt,
})

const CURSOR = /^(\d{1,16}) (.+)$/s

/** @throws {AppError} invalid */
const toPlace = (cursor: string | undefined) => {
  const text = decodeCursor(cursor)
  if (text === null) return null
  const [, createdAt, id] = CURSOR.exec(text) ?? []
  if (createdAt === undefined || id === undefined) {
    throw unknownCursor()
  }
  return { createdAt: Number(createdAt), id }
}

export const notificationRoutes = handlers(
  notificationEndpoints,
  (deps: Pick<Deps, 'db' | 'reads' | 'newId'>) => ({
    listNotificationDeliveries: async ({ ws, query: { limit, cursor } }) => {
      const page = { before: toPlace(cursor), limit: limit + 1 }
      const rows = await listNotifications(deps.reads, ws, page)
      return ok(paginate(rows.map(toDelivery), limit, ({ createdAt, id }) => `${createdAt} ${id}`))
    },
    testNotification: async ({ ws, body, actor }) =>
      answer(202, { id: await testNotification(deps, { ws, target: body.to, actor }) }),
  }),
)
