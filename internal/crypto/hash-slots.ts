/**
 * Limits concurrent password hashes. One hash takes 32 MiB and about 200 ms of CPU, and callers can cause one
 * without a credential, so few run at once and few wait.
 *
 * It guarantees: at most `atOnce` run; networks take turns, so that a flood from one delays another by one hash only; no hash
 * is computed for a caller who has disconnected; a caller beyond the limits is refused at once.
 */
import { AppError } from '#core/error.ts'
import { createFairQueue, type FairQueueLimits } from '#core/fairness/queue.ts'
import { callerNetworkOf } from '#core/network/caller-network.ts'
import { SECOND_MS } from '#core/time-units.ts'

export type HashCaller = Readonly<{
  /** The caller's network address; null if there is none. */
  address: string | null
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
}>

export interface HashSlots {
  /** @throws {AppError} rate_limited `too_many_sign_ins` @throws {DOMException} the caller disconnected */
  run<T>(caller: HashCaller, work: () => Promise<T>): Promise<T>
}

/** Estimated duration of one hash, for Retry-After. */
const MS_A_HASH = 250

type Waiting = Readonly<{ start: () => void; refuse: (error: Error) => void }>

/** Creates the limiter. @param limits `atOnce` hashes run; `perCaller` and `total` limit how many wait */
export const createHashSlots = ({
  atOnce,
  ...limits
}: FairQueueLimits & Readonly<{ atOnce: number }>): HashSlots => {
  const queue = createFairQueue<Waiting>(limits)
  let running = 0

  const busy = (): AppError => {
    const waitMs = ((queue.size + atOnce) * MS_A_HASH) / atOnce
    return new AppError(
      'rate_limited',
      'Too many passwords are being checked at this moment. Try again shortly.',
      { code: 'too_many_sign_ins', retryAfterS: Math.max(1, Math.ceil(waitMs / SECOND_MS)) },
    )
  }
  const waitForSlot = ({ address, signal }: HashCaller): Promise<void> =>
    new Promise((resolve, reject) => {
      const network = callerNetworkOf(address)
      const leave = (): void => {
        queue.remove(network, entry)
        reject(signal.reason)
      }
      const settle = (act: () => void): void => {
        signal.removeEventListener('abort', leave)
        act()
      }
      const entry: Waiting = {
        start: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      }
      const offer = queue.offer(network, entry)
      if (!offer.isAccepted) {
        reject(busy())
        return
      }
      offer.displaced?.refuse(busy())
      signal.addEventListener('abort', leave, { once: true })
    })

  return {
    run: async (caller, work) => {
      caller.signal.throwIfAborted()
      if (running < atOnce) running += 1
      else await waitForSlot(caller)
      try {
        return await work()
      } finally {
        // the slot passes directly to the next waiter, so that no later caller takes it first
        const next = queue.take()
        if (next === null) running -= 1
        else next.start()
      }
    },
  }
}

/** The limiter of this process; it is shared because CPU and memory are. */
export const HASH_SLOTS = createHashSlots({ atOnce: 2, perCaller: 4, total: 16 })
