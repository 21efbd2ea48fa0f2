import { NOTIFICATION_STATUSES } from '#core/notify/retry.ts'
import { NOTIFY_EVENTS, notifyTarget } from '#core/notify/rule.ts'
import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { z } from '../schemas/z.ts'
import { storedEnum, time } from '../wire.ts'

const delivery = z
  .object({
    id: z.string(),
    type: storedEnum([...NOTIFY_EVENTS, 'test']),
    subject: z.string().describe('id of the job, flow run or schedule'),
    target: z.object({
      kind: storedEnum(['webhook', 'slack', 'email']),
      address: z.string().describe('of webhooks and Slack the origin alone: paths may give access'),
    }),
    status: storedEnum(NOTIFICATION_STATUSES),
    attempts: z.int(),
    created_at: time,
    next_attempt_at: time.nullable(),
    ended_at: time.nullable(),
    last_status: z.int().nullable().describe('HTTP status of the last attempt'),
    last_error: z.string().nullable(),
  })
  .openapi('NotificationDelivery')

export const notificationEndpoints = {
  listNotificationDeliveries: endpoint({
    method: 'get',
    path: '/notifications/deliveries',
    in: 'workspace',
    admits: ['workspace:read'],
    tag: 'Workspace',
    summary: 'Notifications and how their delivery went, newest first',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(delivery)), 400: problem('Bad cursor') },
  }),
  testNotification: endpoint({
    method: 'post',
    path: '/notifications/test',
    in: 'workspace',
    admits: ['workspace:write'],
    tag: 'Workspace',
    summary: 'Send a test to a target; its delivery is on record',
    body: z.strictObject({ to: notifyTarget }),
    answers: {
      202: json('It is being sent', z.object({ id: z.string() })),
      429: problem('Too many requests, or too many tests within a minute (`too_many_tests`)'),
    },
  }),
}
