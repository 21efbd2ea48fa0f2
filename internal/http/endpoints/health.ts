import { json, media, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

const health = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    version: z.string(),
    role: z.string(),
    database: z.enum(['ok', 'unavailable']),
    durability: z
      .enum(['durable', 'relaxed'])
      .optional()
      .describe(
        'what the database does with a commit: durable, it is on the disk before the answer; relaxed, a power cut may lose it',
      ),
    schema: z
      .object({ known: z.int(), database: z.int() })
      .optional()
      .describe(
        'migrations: how many this node knows, and how many the database has; the database may have more while a newer svc is rolled out',
      ),
    cells: z
      .record(z.string(), z.enum(['ok', 'unavailable']))
      .optional()
      .describe(
        'the databases of SVC_CELLS; while one is unavailable its workspaces answer 503 and all others work',
      ),
    reason: z.string().optional().describe('why the database is unavailable, and what to do'),
    isolation: z.string().optional(),
  })
  .openapi('Health')

export const healthEndpoints = {
  getHealth: endpoint({
    method: 'get',
    path: '/healthz',
    admits: ['public'],
    rate: 'off',
    tag: 'Node',
    summary: 'Whether this node can work',
    answers: {
      200: json('It can', health),
      503: json('The database is away or its last write failed, or the node is stopping', health),
    },
  }),
  getMetrics: endpoint({
    method: 'get',
    path: '/metrics',
    admits: ['public'],
    rate: 'off',
    tag: 'Node',
    summary: 'Prometheus metrics, for callers on this machine or with SVC_METRICS_TOKEN',
    answers: { 200: media('text/plain', 'Text'), 403: problem('Neither of them') },
  }),
}
