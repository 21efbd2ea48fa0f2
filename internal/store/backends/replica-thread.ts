/**
 * The thread behind openReplica: an embedded replica on its own connection. The binding updates it in one blocking call, which
 * takes as long as a silent server does not answer. In its own thread, the call blocks nothing else.
 */
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import Libsql from 'libsql'
import { z } from 'zod'
import { makeFolder } from '#disk/make-folder.ts'
import { bindValue, toRow } from './binding-values.ts'
import type { ReplicaAnswer, ReplicaQuestion } from './replica.ts'
import { toSyncAddress } from './sync-address.ts'

const threadData = z.object({
  path: z.string(),
  url: z.string(),
  authToken: z.string().optional(),
  maxAgeMs: z.number(),
})

const run = (): void => {
  if (parentPort === null) return
  const port = parentPort
  const { path, maxAgeMs, ...address } = threadData.parse(workerData)
  const options = toSyncAddress(address)
  let copy: Libsql.Database | null = null
  let freshUntil = 0

  const open = (): Libsql.Database => {
    makeFolder(dirname(path), 0o700)
    const opened = new Libsql(path, options)
    opened.sync()
    // the binding creates its files itself and does not accept existing ones, so set their mode afterwards
    for (const file of [path, `${path}-wal`, `${path}-shm`]) chmodSync(file, 0o600)
    return opened
  }
  const answer = ({ id, sql, args }: ReplicaQuestion): ReplicaAnswer => {
    try {
      if (performance.now() >= freshUntil) {
        const askedAt = performance.now()
        if (copy === null) copy = open()
        else copy.sync()
        freshUntil = askedAt + maxAgeMs
      }
      const rows = copy?.prepare(sql).all(args.map(bindValue)) ?? []
      return { id, rows: rows.map(toRow) }
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) }
    }
  }
  port.on('message', (question: ReplicaQuestion | 'stop') => {
    if (question !== 'stop') {
      port.postMessage(answer(question))
      return
    }
    copy?.close()
    // ends only the thread, on Node and on Deno, which cannot close the port
    process.exit(0)
  })
}

run()
