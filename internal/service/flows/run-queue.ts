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
  /** Does the work while no other transition of the run is under way in this process. It must not wait for `add`. */
  alone(run: Pick<AdvanceRequest, 'ws' | 'id'>, work: () => Promise<void>): Promise<void>
}

type Waiting = Readonly<{
  request: AdvanceRequest
  advance: AdvanceTogether
  resolve: (advanced: Advanced) => void
  reject: (error: unknown) => void
}>

/** Work that is done alone. It reports its own failure. */
type Lone = () => Promise<void>
type Queued = Waiting | Lone

const MAX_TOGETHER = 64
/** Characters of results in one batch, so that a large result is written almost alone. */
const MAX_CHARACTERS = 1_048_576

/** Takes the requests of the next batch. None if work that is done alone is next. */
const takeTogether = (queue: Queued[]): readonly Waiting[] => {
  const taken: Waiting[] = []
  let characters = 0
  for (const next of queue) {
    if (typeof next === 'function') break
    characters += next.request.characters ?? 0
    if (taken.length > 0 && (taken.length >= MAX_TOGETHER || characters > MAX_CHARACTERS)) break
    taken.push(next)
  }
  queue.splice(0, taken.length)
  return taken
}

/** Creates a run queue. It handles the events of one run one batch after another, and those of different runs in parallel. */
export const createRunQueue = (): RunQueue => {
  const queues = new Map<string, Queued[]>()

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

  const drive = async (key: string, queue: Queued[]): Promise<void> => {
    // requests that arrive within this turn of the event loop go together
    await nextTurn()
    while (queue.length > 0) {
      const [next] = queue
      if (typeof next !== 'function') await serve(takeTogether(queue))
      else {
        queue.shift()
        await next()
      }
    }
    queues.delete(key)
  }

  const push = ({ ws, id }: Pick<AdvanceRequest, 'ws' | 'id'>, next: Queued): void => {
    const key = `${ws}/${id}`
    const queue = queues.get(key)
    if (queue !== undefined) {
      queue.push(next)
      return
    }
    const created = [next]
    queues.set(key, created)
    void drive(key, created)
  }

  return {
    add: (request, advance) =>
      new Promise((resolve, reject) => push(request, { request, advance, resolve, reject })),
    alone: (run, work) =>
      new Promise((resolve, reject) => push(run, () => work().then(resolve, reject))),
  }
}
