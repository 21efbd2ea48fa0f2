/** Reads what `svc status` and `svc top` show: the server, the queue and the workers. */
import { z } from 'zod'
import type { Client } from '#cli-client/client.ts'
import { parseJsonOrNull } from '#core/json/value.ts'

const health = z.looseObject({
  status: z.string(),
  version: z.string(),
  durability: z.string().optional(),
  reason: z.string().optional(),
})

const summary = z.looseObject({
  queued_count: z.number(),
  suspended_count: z.number(),
  running_count: z.number(),
  completed_count: z.number(),
  failed_count: z.number(),
  by_tag: z.array(z.looseObject({ tag: z.string(), queued: z.number(), running: z.number() })),
  recent_seconds: z.number(),
})

const workers = z.looseObject({
  workers: z.array(
    z.looseObject({
      name: z.string(),
      tags: z.array(z.string()),
      running: z.number(),
      concurrency: z.number(),
      version: z.string(),
    }),
  ),
})

export type NodeStatus = Readonly<{
  endpoint: string
  workspace: string
  health: z.infer<typeof health>
  summary: z.infer<typeof summary>
  workers: z.infer<typeof workers>['workers']
}>

/** A node that cannot work answers 503 with the reason. */
const readHealth = async (endpoint: string): Promise<NodeStatus['health']> => {
  // ignored, because the call for the queue fails too and reports the reason
  const answer = await fetch(`${endpoint}/healthz`).catch(() => null)
  if (answer === null) return { status: 'not reached', version: '?' }
  const read = health.safeParse(parseJsonOrNull(await answer.text()))
  return read.data ?? { status: `answers ${answer.status}`, version: '?' }
}

/** @throws {AppError} the server refused, or was not reached */
export const readNodeStatus = async (client: Client): Promise<NodeStatus> => {
  const workspace = await client.workspace()
  const [healthy, counts, alive] = await Promise.all([
    readHealth(client.endpoint),
    client.call(summary, '/jobs/summary'),
    client.call(workers, '/workers'),
  ])
  const { endpoint } = client
  return { endpoint, workspace, health: healthy, summary: counts, workers: alive.workers }
}
