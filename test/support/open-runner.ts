/** A queue in a temporary database, with a sandbox and what runs its jobs there. */
import type { Provider } from '#sandbox/providers/provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { createJobRunner, type JobRunner } from '#service/queue/run-job.ts'
import { denoProvider, openPool } from '../sandbox/job.ts'
import { openQueue, type Queue } from './open-queue.ts'
import { openTemporaryDatabase } from './temporary-database.ts'

export type OpenRunner = Readonly<{
  queue: Queue
  sandbox: Sandbox
  runner: JobRunner
  close: () => Promise<void>
}>

export const openRunner = async (provider: Provider = denoProvider()): Promise<OpenRunner> => {
  const { db, close } = await openTemporaryDatabase()
  const queue = await openQueue(db)
  const sandbox = openPool(provider)
  return {
    queue,
    sandbox,
    runner: createJobRunner({ ...queue.deps, sandbox, baseUrl: 'http://svc.test' }),
    close: async () => {
      await sandbox.close()
      await close()
    },
  }
}
