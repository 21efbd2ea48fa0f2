/**
 * Sees that the instance key was changed under a running node. Such a node opens no secret any more and would fail the
 * jobs that need one, so it ends; waiting cannot mend it (contract, fine print 29).
 */

import { WrongInstanceKeyError } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { holdsInstanceKey } from '#service/rotate-key.ts'

const EVERY_MS = 5_000

export type KeyWatchOptions = Readonly<{
  /** Called once. */
  onChanged: (error: WrongInstanceKeyError) => void
  /** @default 5 s */
  everyMs?: number
}>

export const startKeyWatch = (
  deps: Pick<Deps, 'db' | 'keyring'>,
  { onChanged, everyMs = EVERY_MS }: KeyWatchOptions,
): Readonly<{ stop: () => Promise<void> }> => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let looking: Promise<void> = Promise.resolve()
  let isStopped = false
  const look = async (): Promise<void> => {
    // a database that is away says nothing about its key
    const holds = await holdsInstanceKey(deps).catch(() => true)
    if (isStopped) return
    if (holds) lookLater()
    else onChanged(new WrongInstanceKeyError())
  }
  const lookLater = (): void => {
    timer = setTimeout(() => {
      looking = look()
    }, everyMs)
  }
  lookLater()
  return {
    stop: async () => {
      isStopped = true
      if (timer !== null) clearTimeout(timer)
      await looking
    },
  }
}
