/** What other nodes learn about a worker: over the bus, or from its ping in the database. */
import { z } from 'zod'
import { ISOLATION_LEVELS } from './isolation-level.ts'

const name = z.string().min(1).max(200)

export const workerFacts = z.object({
  group: name,
  tags: z.array(name).max(10_000),
  // workers of a later version may send an unknown level
  level: z.enum(ISOLATION_LEVELS).catch('none'),
  /** Empty for all workspaces. */
  workspaces: z.array(name).max(10_000),
  /** The cells whose jobs it claims. */
  cells: z.array(name).max(10_000),
  concurrency: z.int().min(0),
  running: z.int().min(0),
})
export type WorkerFacts = Readonly<z.infer<typeof workerFacts>>
