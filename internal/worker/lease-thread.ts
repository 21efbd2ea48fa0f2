/** The thread of the lease keeper. It opens its own database connection and renews leases until it is stopped. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { renewalTimeoutMs } from '#core/job/lease.ts'
import type { Database } from '#store/database.ts'
import { openDatabase } from '#store/open-database.ts'
import { createLeaseRenewal, type LeaseCommand, type LeaseState } from './lease-renewal.ts'
import { monotonicNow } from './monotonic-clock.ts'

type ThreadData = Readonly<{ url: string; authToken: string | null; leaseMs: number }>

/** Validates without zod, which would take most of the time and memory of this thread. */
const toThreadData = (data: Readonly<Record<string, unknown>>): ThreadData => {
  const { url, authToken = null, leaseMs } = data
  if (typeof url === 'string' && typeof leaseMs === 'number') {
    if (authToken === null || typeof authToken === 'string') return { url, authToken, leaseMs }
  }
  throw new Error('The lease thread got no address of its database.')
}

const OPEN_AGAIN_MS = 1_000

const run = async (): Promise<void> => {
  if (parentPort === null) return
  const port = parentPort
  const { url, authToken, leaseMs } = toThreadData(workerData)
  const sendState = (state: LeaseState): void => port.postMessage(state)
  let db: Database | null = null
  let handle: ((command: LeaseCommand) => void) | null = null
  const early: LeaseCommand[] = []
  port.on('message', (command: LeaseCommand) => {
    if (handle === null) early.push(command)
    else handle(command)
    if (command.kind !== 'stop') return
    // in a thread, process.exit ends only the thread; it is needed because Deno cannot close a message port
    if (db === null) process.exit(0)
    void db.close().finally(() => process.exit(0))
  })
  while (db === null) {
    try {
      // the main thread moves the write-ahead log into the file
      const token = authToken === null ? {} : { authToken }
      const timeoutMs = renewalTimeoutMs(leaseMs)
      db = await openDatabase({ url, autoCheckpoint: false, timeoutMs, ...token })
    } catch {
      sendState({ isRenewing: false })
      await setTimeout(OPEN_AGAIN_MS)
    }
  }
  const report = (answer: object): void => port.postMessage(answer)
  const renewal = createLeaseRenewal({ db, leaseMs, report, onState: sendState, monotonicNow })
  handle = renewal.handle
  for (const command of early) handle(command)
  await renewal.start()
}

run().catch((error: unknown) => {
  process.stderr.write(`The lease thread could not start: ${String(error)}\n`)
  process.exit(1)
})
