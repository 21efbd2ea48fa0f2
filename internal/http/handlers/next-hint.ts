/** Waits for news of a job or a flow run: a hint in this process, or a look after a while, which finds what other processes wrote. */
import type { Deps } from '#service/deps.ts'

const LOOK_MS = 1_000

export type FollowRequest = Readonly<{ ws: string; id: string; signal: AbortSignal }>

export interface News {
  /** Resolves at once when there was a hint since the last call. Also when the caller goes away. */
  next(): Promise<void>
  stop(): void
}

/** Hints are heard from here on: subscribe first, then read, and nothing falls between. */
export const subscribeToNews = (
  { hints }: Pick<Deps, 'hints'>,
  { id, signal }: FollowRequest,
  channels: readonly ('jobChanged' | 'jobLogged' | 'flowChanged')[],
): News => {
  let hasNews = false
  let wake: () => void = () => undefined
  const onHint = (): void => {
    hasNews = true
    wake()
  }
  const ends = channels.map((channel) => hints[channel].subscribe(id, onHint))
  signal.addEventListener('abort', onHint, { once: true })
  return {
    next: async () => {
      if (!(hasNews || signal.aborted)) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      hasNews = false
    },
    stop: () => {
      for (const end of ends) end()
      signal.removeEventListener('abort', onHint)
      wake()
    },
  }
}
