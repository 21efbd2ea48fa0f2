/**
 * The thread that copies a database file before its migration. The copy and its check are blocking calls that take a minute
 * for 300 MB on a busy machine. In their own thread, they leave the node free to answer.
 */
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import { messageOf } from '../database-error.ts'
import { backupBeforeMigration } from './migration-backup.ts'
import type { MigrationBackupAnswer } from './migration-backup-answer.ts'

const threadData = z.object({ path: z.string(), at: z.number() })

const copy = (): MigrationBackupAnswer => {
  const { path, at } = threadData.parse(workerData)
  try {
    return { kind: 'done', backup: backupBeforeMigration(path, at) }
  } catch (error) {
    const code = error instanceof AppError ? error.code : 'backup_failed'
    return { kind: 'failed', message: messageOf(error), code }
  }
}

if (parentPort !== null) {
  parentPort.postMessage(copy())
  // ends only the thread, on Node and on Deno
  process.exit(0)
}
