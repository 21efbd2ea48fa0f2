/** The thread that renews leases, seen as the worker room wants to see it. */

import { startThread } from '#platform/thread.ts'
import type { LeaseThread } from '#worker/lease-keeper.ts'
import type { LeaseReport } from '#worker/lease-renewal.ts'

export type LeaseThreadOptions = Readonly<{ url: string; authToken?: string; leaseMs: number }>

export const startLeaseThread = (options: LeaseThreadOptions): LeaseThread => {
  const thread = startThread('lease', options)
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  return {
    post: (command) => thread.postMessage(command),
    onReport: (listener) => {
      thread.on('message', (report: LeaseReport) => listener(report))
    },
    stop: async () => {
      thread.postMessage({ kind: 'stop' })
      await ended
    },
  }
}
