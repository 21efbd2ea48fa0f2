/**
 * How many functions run at once. Short calls go fastest when few processes share the cores, so further ones wait their
 * turn; one that has waited a while runs beside the others, since those are waiting for something themselves. Beyond a bound
 * callers are told to come again.
 */
import { AppError } from '#core/error.ts'

export interface CallGate {
  /** @returns what ends the call. @throws {AppError} unavailable: too many wait already */
  enter(): Promise<() => void>
}

export type GateLimits = Readonly<{
  /** Run without waiting. */
  atOnce: number
  /** Run when others take long. */
  most: number
  patienceMs: number
  /** Wait; what comes beyond is refused. */
  waiting: number
}>

type Waiting = { readonly go: () => void; readonly timer: ReturnType<typeof setTimeout> }

export const createCallGate = ({ atOnce, most, patienceMs, waiting }: GateLimits): CallGate => {
  const queue: Waiting[] = []
  let running = 0

  const leave = (): void => {
    running -= 1
    if (running >= atOnce) return
    const next = queue.shift()
    if (next === undefined) return
    clearTimeout(next.timer)
    running += 1
    next.go()
  }

  const wait = (): Promise<void> =>
    new Promise((go) => {
      const isTired = (): void => {
        if (running >= most) {
          entry.timer.refresh()
          return
        }
        queue.splice(queue.indexOf(entry), 1)
        running += 1
        go()
      }
      const entry: Waiting = { go, timer: setTimeout(isTired, patienceMs) }
      queue.push(entry)
    })

  return {
    enter: async () => {
      if (running < atOnce) running += 1
      else if (queue.length < waiting) await wait()
      else {
        throw new AppError('unavailable', 'Too many calls wait already. Try again shortly.', {
          code: 'busy',
          retryAfterS: 1,
        })
      }
      return leave
    },
  }
}
