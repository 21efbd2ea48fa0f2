/**
 * Adapts the thread that renews leases to the interface of the worker. A thread that ends before it was stopped is started
 * again; until the new one renews, the worker is informed that its leases are not renewed.
 */
import { createLogger } from '#log/logtape.ts'
import { startThread } from '#platform/thread.ts'
import type { LeaseThread } from '#worker/lease-keeper.ts'
import type { LeaseReport, LeaseState } from '#worker/lease-renewal.ts'

export type LeaseThreadOptions = Readonly<{ url: string; authToken?: string; leaseMs: number }>

/** @param start tests may replace it */
export type SuperviseOptions = Readonly<{
  start?: (options: LeaseThreadOptions) => ReturnType<typeof startThread>
  /** @default 1 s */
  restartMs?: number
}>

const RESTART_MS = 1_000

const isState = (message: LeaseReport | LeaseState): message is LeaseState =>
  'isRenewing' in message

/** Starts the thread that renews leases, and restarts it `restartMs` milliseconds after it ended. */
export const startLeaseThread = (
  options: LeaseThreadOptions,
  { start = (data) => startThread('lease', data), restartMs = RESTART_MS }: SuperviseOptions = {},
): LeaseThread => {
  const log = createLogger('worker')
  let onReport: (report: LeaseReport) => void = () => undefined
  let onState: (state: LeaseState) => void = () => undefined
  let isStopping = false
  let restart: NodeJS.Timeout | undefined
  let ended: Promise<void> = Promise.resolve()

  const begin = () => {
    const thread = start(options)
    ended = new Promise((resolve) => {
      thread.once('exit', () => {
        resolve()
        if (isStopping) return
        onState({ isRenewing: false })
        log.warn('The thread that renews leases has ended; starting it again.')
        restart = setTimeout(() => {
          current = begin()
        }, restartMs)
      })
    })
    // an error without a listener would end the node
    thread.on('error', (error) => log.warn('The thread that renews leases failed.', { error }))
    thread.on('message', (message: LeaseReport | LeaseState) => {
      if (isState(message)) onState(message)
      else onReport(message)
    })
    return thread
  }
  let current = begin()

  return {
    post: (command) => current.postMessage(command),
    onReport: (listener) => {
      onReport = listener
    },
    onState: (listener) => {
      onState = listener
    },
    stop: async () => {
      isStopping = true
      clearTimeout(restart)
      current.postMessage({ kind: 'stop' })
      await ended
    },
  }
}
