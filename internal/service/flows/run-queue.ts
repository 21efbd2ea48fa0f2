/**
 * The run queue: a process makes one transition of a run at a time, for all events that arrived meanwhile. Fifty items of a
 * loop that end at once are one write. Separately, each would have to read again after every other.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Advanced, AdvanceRequest } from './run-requests.ts'

/** Answers requests of one run, in order. */
export type AdvanceTogether = (requests: readonly AdvanceRequest[]) => Promise<readonly Advanced[]>

export interface RunQueue {
  /** @param advance called with this request and those of the same run that wait with it */
  add(request: AdvanceRequest, advance: AdvanceTogether): Promise<Advanced>
}

type Waiting = Readonly<{
  request: AdvanceRequest
  advance: AdvanceTogether
  resolve: (advanced: Advanced) => void
  reject: (error: unknown) => void
}>

const MAX_TOGETHER = 64
/** Characters of results in one batch, so that a large result is written almost alone. */
const MAX_CHARACTERS = 1_048_576

/** Takes the requests of the next batch, at least one. */
const takeTogether = (waiting: Waiting[]): readonly Waiting[] => {
  let characters = 0
  let count = 0
  for (const { request } of waiting) {
    characters += request.characters ?? 0
    if (count > 0 && (count >= MAX_TOGETHER || characters > MAX_CHARACTERS)) break
    count += 1
  }
  return waiting.splice(0, count)
}

/** Creates a run queue. It handles the events of one run one batch after another, and those of different runs in parallel. */
export const createRunQueue = (): RunQueue => {
  const queues = new Map<string, Waiting[]>()

  const serve = async (together: readonly Waiting[]): Promise<void> => {
    const [first] = together
    if (first === undefined) return
    try {
      const answers = await first.advance(together.map(({ request }) => request))
      for (const [at, { resolve }] of together.entries()) resolve(answers[at] ?? 'untrue')
    } catch (error) {
      // one of them may be the cause, and the others must not fail with it
      if (together.length === 1) first.reject(error)
      else for (const waiting of together) await serve([waiting])
    }
  }

  const drive = async (key: string, queue: Waiting[]): Promise<void> => {
    // requests that arrive within this turn of the event loop go together
    await nextTurn()
    while (queue.length > 0) await serve(takeTogether(queue))
    queues.delete(key)
  }

  return {
    add: (request, advance) =>
      new Promise((resolve, reject) => {
        const key = `${request.ws}/${request.id}`
        const waiting = { request, advance, resolve, reject }
        const queue = queues.get(key)
        if (queue !== undefined) {
          queue.push(waiting)
          return
        }
        const created = [waiting]
        queues.set(key, created)
        void drive(key, created)
      }),
  }
}
