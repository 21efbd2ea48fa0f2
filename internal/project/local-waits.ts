/** How sleeps and waits for events end in a local run. */
import { setTimeout } from 'node:timers/promises'
import { conflict } from '#core/error.ts'
import type { Deadline, FlowEvent, Wait } from '#core/flow/run.ts'
import type { JsonValue } from '#core/json.ts'

export type LocalWait = Readonly<{
  /** The key of the step. */
  step: string
  until: Deadline | null
  event: Wait['event']
  signal: AbortSignal
}>

/** An event that is given beforehand, for the next step that waits for its name. */
export type LocalEvent = Readonly<{ name: string; data: JsonValue }>

export type LocalWaits = Readonly<{
  /** @throws {AppError} conflict: no event is left for a step that waits without end */
  wait: (wait: LocalWait) => Promise<FlowEvent>
}>

const MAX_TIMER_MS = 2_147_483_647

const sleepUntil = async (until: Deadline, signal: AbortSignal): Promise<void> => {
  const at = 'at' in until ? until.at : Date.now() + until.afterMs
  for (let left = at - Date.now(); left > 0 && !signal.aborted; left = at - Date.now()) {
    await setTimeout(Math.min(left, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined)
  }
}

export type LocalWaitOptions = Readonly<{
  events?: readonly LocalEvent[]
  /** Times pass at once. */
  skipsTime?: boolean
  /** Asks a person for the event of a step. @returns null: it does not come */
  ask?: (step: string, event: NonNullable<Wait['event']>) => Promise<LocalEvent | null>
}>

/** Ends waits by the given events, and by time. */
export const createLocalWaits = ({
  events = [],
  skipsTime = false,
  ask = () => Promise.resolve(null),
}: LocalWaitOptions): LocalWaits => {
  const left = [...events]

  const findEvent = async (step: string, wanted: Wait['event']): Promise<LocalEvent | null> => {
    if (wanted === undefined) return null
    const at = left.findIndex(({ name }) => name === wanted.name)
    const [given] = at === -1 ? [] : left.splice(at, 1)
    return given ?? ask(step, wanted)
  }

  const wait: LocalWaits['wait'] = async ({ step, until, event, signal }) => {
    const given = await findEvent(step, event)
    if (given !== null) return { kind: 'event_received', data: given.data }
    if (until === null) {
      const name = event?.name ?? ''
      throw conflict(
        `The step "${step}" waits for the event ${name}. Give it with --event '${name}={"field":1}'.`,
      )
    }
    if (!skipsTime) await sleepUntil(until, signal)
    return { kind: 'wait_timed_out' }
  }
  return { wait }
}
