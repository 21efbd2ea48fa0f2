import { sendEvent } from '#service/events/send-event.ts'
import type { EventDeps } from '#service/events/start-targets.ts'
import { ok } from '../answer.ts'
import { eventEndpoints } from '../endpoints/events.ts'
import { handlers } from '../handlers.ts'

export const eventRoutes = handlers(eventEndpoints, (deps: EventDeps) => ({
  sendEvent: async ({ ws, body, principal }) => {
    const { name, key = null, data, id = null } = body
    const request = { ws, name, key, data, id, sentBy: principal.identity }
    const sent = await sendEvent(deps, request)
    if (sent === null) throw new Error('An event without a condition was not sent.')
    return ok({ ...sent })
  },
}))
