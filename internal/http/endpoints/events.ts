import { eventFields } from '#core/event/event.ts'
import { json, problem, storageFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jsonValue, z } from '../schemas/z.ts'

const sent = z
  .object({
    event_id: z.string(),
    delivered: z.int().describe('waits that were woken, and actions and flows that were started'),
  })
  .openapi('SentEvent')

export const eventEndpoints = {
  sendEvent: endpoint({
    method: 'post',
    path: '/events',
    in: 'workspace',
    admits: ['flows:resume'],
    tag: 'Flows',
    summary: 'Send an event to all that wait for its name and key; the same id counts once in 24 h',
    body: eventFields.extend({ data: jsonValue.default(null) }),
    answers: {
      200: json('Sent, or the first answer for this id', sent),
      400: problem('A field is missing or wrong'),
      413: problem('The body is too large'),
      ...storageFull,
    },
  }),
}
