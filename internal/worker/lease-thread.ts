/** The thread behind LeaseKeeper: opens a database connection of its own and renews until it is told to stop. */
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openDatabase } from '#store/open-database.ts'
import { createLeaseRenewal, type LeaseCommand } from './lease-renewal.ts'
import { monotonicNow } from './monotonic-clock.ts'

const threadData = z.object({
  url: z.string(),
  authToken: z.string().optional(),
  leaseMs: z.number(),
})

const run = async (): Promise<void> => {
  if (parentPort === null) return
  const port = parentPort
  const { url, authToken, leaseMs } = threadData.parse(workerData)
  // commands that come while the database opens wait in the port
  const db = await openDatabase({ url, ...(authToken === undefined ? {} : { authToken }) })
  const renewal = createLeaseRenewal({
    db,
    leaseMs,
    report: (report) => port.postMessage(report),
    monotonicNow,
  })
  port.on('message', (command: LeaseCommand) => {
    renewal.handle(command)
    // ends the thread alone, on Node and on Deno, whose port cannot be closed
    if (command.kind === 'stop') void db.close().finally(() => process.exit(0))
  })
}

run().catch((error: unknown) => {
  process.stderr.write(`The lease thread could not start: ${String(error)}\n`)
  process.exit(1)
})
