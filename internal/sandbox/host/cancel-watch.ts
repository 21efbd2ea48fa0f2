/** Handles the cancel of one run: its script sees it, has a grace period, and is killed after that [jobs 7.2]. */
import { cancelLine } from '../protocol/messages.ts'
import type { SandboxCallbacks, SandboxLimits } from '../sandbox.ts'
import type { GuestProcess } from './process.ts'

export type CancelWatchOptions = Readonly<{
  run: Readonly<{
    guest: Pick<GuestProcess, 'alive' | 'send'>
    /** The number of the run in its process. */
    number: number
    run: Readonly<{ limits: Pick<SandboxLimits, 'cancelGraceMs'> }>
    callbacks: Pick<SandboxCallbacks, 'canceled'>
  }>
  /** Whether the script has begun. One that has not needs no grace period. */
  hasBegun: () => boolean
  kill: () => void
}>

export interface CancelWatch {
  readonly isCanceled: boolean
  /** Starts the watch, because the guest requested a message when the job is canceled. */
  begin(): void
  /** Call it when the run has ended. */
  end(): void
}

/** Watches for the cancel of a run until `end`. */
export const createCancelWatch = (options: CancelWatchOptions): CancelWatch => {
  const { run: request, hasBegun, kill } = options
  const { guest, number, run, callbacks } = request
  const { canceled } = callbacks
  const { cancelGraceMs: graceMs = 0 } = run.limits
  let isWatched = false
  let timer: NodeJS.Timeout | undefined

  const endWatch = (isCanceled: boolean): void => {
    if (isWatched && guest.alive()) guest.send(cancelLine(number, isCanceled))
    isWatched = false
  }
  const onCancel = (): void => {
    endWatch(true)
    if (!hasBegun() || graceMs === 0) kill()
    else timer ??= setTimeout(kill, graceMs)
  }
  canceled?.addEventListener('abort', onCancel)

  return {
    get isCanceled() {
      return canceled?.aborted === true
    },
    begin: () => {
      isWatched = true
      if (canceled?.aborted === true) endWatch(true)
    },
    end: () => {
      clearTimeout(timer)
      endWatch(false)
      canceled?.removeEventListener('abort', onCancel)
    },
  }
}
