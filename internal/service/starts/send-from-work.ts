/** `ctx.sendEvent`: a job or a function sends an event to its workspace [jobs 15]. */
import {
  lostStarter,
  nextChainDepth,
  readEventCall,
  requireCustomerMayStart,
  type StartCall,
} from '#core/job/start-call.ts'
import { isRunning } from '#store/jobs/lease.ts'
import { insertStart } from '#store/jobs/starts.ts'
import { sendEvent } from '../events/send-event.ts'
import type { EventDeps } from '../events/start-targets.ts'
import { readCallJson } from '../portions/read-json.ts'
import { findFirst } from '../queue/idempotency.ts'
import { type Caller, mayBeRepeated, numberText } from './start-caller.ts'

/**
 * Sends an event. If it has no id of its own, the n-th call of a job sends it once, just as a job is started once [jobs 15.3].
 * @returns the id of the event @throws {AppError} it was refused
 */
export const sendFromWork = async (
  deps: EventDeps,
  { ws, customerId, claim, callsOf, createdBy, chainDepth }: Caller,
  call: StartCall,
): Promise<string> => {
  if (customerId !== null) requireCustomerMayStart(call.kind, {})
  const { name, key = null, id = null } = readEventCall(call)
  const data = await readCallJson(call.inputJson, 'data', deps.limits.maxBodyBytes)
  const own =
    callsOf === null || id !== null
      ? null
      : { jobId: callsOf, key: numberText(call, null), target: `event ${name}` }
  if (own !== null && mayBeRepeated({ claim, callsOf }, call)) {
    const first = await findFirst(deps, { ws, idempotency: own })
    if (first !== null) return first
  }
  const sent = await sendEvent(deps, {
    ws,
    name,
    key,
    data,
    id,
    sentBy: createdBy,
    chainDepth: chainDepth === null ? 0 : nextChainDepth(chainDepth),
    ...(claim === null ? {} : { condition: isRunning(claim) }),
    ...(own === null
      ? {}
      : {
          alongside: (startedId, isSent) => [insertStart({ ...own, startedId }, isSent)],
        }),
  })
  if (sent === null) throw lostStarter()
  return sent.eventId
}
