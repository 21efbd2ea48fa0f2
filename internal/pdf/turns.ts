/**
 * Turns at a resource that few can use at once. A caller names an owner. The next turn goes to the waiting owner
 * with the fewest running, and among these to the one whose last turn is the longest ago. One turn more than `atOnce` is kept
 * for owners with nothing running, so that no owner waits until the slow files of another end.
 */
import { type AppError, callerGone, unavailable } from '#core/error.ts'

export type TurnOptions = Readonly<{
  /** How many run at once, besides the one that is kept for an owner with nothing running. */
  atOnce: number
  /** The limit for all owners together. One owner may fill half of it. */
  maxWaiting: number
  patienceMs: number
}>

export type Turns = Readonly<{
  /**
   * @param signal ends the waiting
   * @throws {AppError} unavailable: the queue is full, waiting took too long, or the signal is aborted
   */
  take: (owner: string, signal?: AbortSignal) => Promise<void>
  giveBack: (owner: string) => void
}>

type Waiting = Readonly<{ owner: string; enter: () => void }>

/** The refusal with 503 if too many documents wait. */
export const parserBusy = (): AppError =>
  unavailable('Too many documents are being read. Try again shortly.', {
    code: 'parser_busy',
    retryAfterS: 2,
  })

/** Limits how many documents are read at once, and gives the next turn to the owner with the fewest running. */
export const createTurns = ({ atOnce, maxWaiting, patienceMs }: TurnOptions): Turns => {
  const waiting: Waiting[] = []
  const running = new Map<string, number>()
  /** Owners that run or wait, by their last turn. */
  const served = new Map<string, number>()
  let turn = 0
  const runningOf = (owner: string): number => running.get(owner) ?? 0
  const count = (owner: string, by: 1 | -1): void => {
    const now = runningOf(owner) + by
    if (now === 0) running.delete(owner)
    else running.set(owner, now)
    turn += 1
    if (by === 1) served.set(owner, turn)
    else forget(owner)
  }
  const forget = (owner: string): void => {
    const isHere = runningOf(owner) > 0 || waiting.some((other) => other.owner === owner)
    if (!isHere) served.delete(owner)
  }
  const mayRun = (owner: string): boolean => {
    const all = [...running.values()].reduce((sum, each) => sum + each, 0)
    return all < atOnce || (all === atOnce && runningOf(owner) === 0)
  }
  const mayWait = (owner: string): boolean =>
    waiting.length < maxWaiting &&
    waiting.filter((other) => other.owner === owner).length < Math.ceil(maxWaiting / 2)

  const wait = (owner: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const giveUp = (error: AppError): void => {
        settle()
        waiting.splice(waiting.indexOf(entry), 1)
        forget(owner)
        reject(error)
      }
      const onAbort = (): void => giveUp(callerGone())
      const timer = setTimeout(() => giveUp(parserBusy()), patienceMs)
      const enter = (): void => {
        settle()
        resolve()
      }
      const entry: Waiting = { owner, enter }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(entry)
    })

  const rankOf = ({ owner }: Waiting): readonly [number, number] => [
    runningOf(owner),
    served.get(owner) ?? 0,
  ]
  /** Takes out the longest waiting entry of the owner whose turn it is. Undefined if none that wait may run. */
  const next = (): Waiting | undefined => {
    const [first] = waiting.toSorted((a, b) => {
      const [one, other] = [rankOf(a), rankOf(b)]
      return one[0] - other[0] || one[1] - other[1]
    })
    if (first === undefined || !mayRun(first.owner)) return undefined
    waiting.splice(waiting.indexOf(first), 1)
    return first
  }

  return {
    take: async (owner, signal) => {
      if (signal?.aborted === true) throw callerGone()
      if (!mayRun(owner)) {
        if (!mayWait(owner)) throw parserBusy()
        // the caller that hands over the turn counts it, before another can take it
        await wait(owner, signal)
      } else count(owner, 1)
    },
    giveBack: (owner) => {
      count(owner, -1)
      const entry = next()
      if (entry === undefined) return
      count(entry.owner, 1)
      entry.enter()
    },
  }
}
