/**
 * One transition of a run at a time within a process, and together what came meanwhile: fifty items of a loop that end at
 * once are one write, where each alone would have to read again after every other.
 */
import type { Advanced, AdvanceRequest } from './transition.ts'

/** As many answers as requests, in their order. */
export type AdvanceTogether = (requests: readonly AdvanceRequest[]) => Promise<readonly Advanced[]>

export interface RunLanes {
  enter(request: AdvanceRequest, advance: AdvanceTogether): Promise<Advanced>
}

type Waiting = Readonly<{
  request: AdvanceRequest
  advance: AdvanceTogether
  resolve: (advanced: Advanced) => void
  reject: (error: unknown) => void
}>

const MOST_TOGETHER = 64
/** Of results; a large one goes nearly alone. */
const MOST_WEIGHT = 1_048_576

/** At least one. */
const takeTogether = (queue: Waiting[]): readonly Waiting[] => {
  let weight = 0
  let count = 0
  for (const { request } of queue) {
    weight += request.weight ?? 0
    if (count > 0 && (count >= MOST_TOGETHER || weight > MOST_WEIGHT)) break
    count += 1
  }
  return queue.splice(0, count)
}

export const createRunLanes = (): RunLanes => {
  const lanes = new Map<string, Waiting[]>()

  const serve = async (together: readonly Waiting[]): Promise<void> => {
    const [first] = together
    if (first === undefined) return
    try {
      const answers = await first.advance(together.map(({ request }) => request))
      for (const [at, { resolve }] of together.entries()) resolve(answers[at] ?? 'untrue')
    } catch (error) {
      // one of them may be to blame: its neighbours must not fail with it
      if (together.length === 1) first.reject(error)
      else for (const waiting of together) await serve([waiting])
    }
  }

  const drive = async (key: string, lane: Waiting[]): Promise<void> => {
    // what ends within this turn goes together from the first
    await new Promise((resolve) => setImmediate(resolve))
    while (lane.length > 0) await serve(takeTogether(lane))
    lanes.delete(key)
  }

  return {
    enter: (request, advance) =>
      new Promise((resolve, reject) => {
        const key = `${request.ws}/${request.id}`
        const waiting = { request, advance, resolve, reject }
        const lane = lanes.get(key)
        if (lane !== undefined) {
          lane.push(waiting)
          return
        }
        const made = [waiting]
        lanes.set(key, made)
        void drive(key, made)
      }),
  }
}
