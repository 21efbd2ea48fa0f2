/** Why a queued job does not run yet. Times are in the reader's time zone; other reasons are sentences of the server. */
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { ShortTime } from '../../../ui/time.tsx'
import { CallLink, useOpenCall } from './open-call.tsx'
import { waitMessages } from './wait-messages.ts'

const PAUSES: readonly string[] = ['time', 'event', 'job']

/** The step in which the job pauses, or null. `suspended` stays set while the job already waits for a worker to continue. */
export const pauseOf = ({ waiting_for: wait, suspended }: Schemas['JobDetail']) =>
  wait !== null && PAUSES.includes(wait.reason) ? suspended : null

export const WaitReason = ({ job }: Readonly<{ job: Schemas['JobDetail'] }>) => {
  const t = useMessages(waitMessages)
  const { waiting_for: wait, scheduled_for: due } = job
  const call = useOpenCall(job)
  const suspended = pauseOf(job)
  if (wait === null) return null
  if (suspended?.kind === 'sleep' && suspended.until !== null) {
    return (
      <>
        {t.sleeps(suspended.name)} <ShortTime at={suspended.until} />
      </>
    )
  }
  if (suspended?.kind === 'event') return t.event(suspended.name)
  if (suspended?.kind === 'job') {
    if (call === undefined) return t.call(suspended.name)
    const text = call.child_flow_run_id === null ? t.calledJob : t.calledRun
    return <CallLink step={call}>{text(call.name)}</CallLink>
  }
  if (wait.reason === 'time' && due != null) {
    return (
      <>
        {t.due} <ShortTime at={due} />
      </>
    )
  }
  return <span title={wait.detail}>{t.reason(wait.reason, wait.detail)}</span>
}
