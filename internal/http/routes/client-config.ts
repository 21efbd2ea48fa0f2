/** GET /api/config: what a client may know before it signs in [wire 10.4]. */
import { publicRoute, type Route, reply } from '../route.ts'
import { z } from '../schemas/z.ts'

export type ClientConfig = Readonly<{
  version: string
  /** 0: ended jobs are kept. */
  jobRetentionDays: number
  maxBodyBytes: number
}>

export const clientConfigRoutes = (config: ClientConfig): readonly Route[] => [
  publicRoute({
    method: 'get',
    path: '/api/config',
    operationId: 'getClientConfig',
    tag: 'Clients',
    summary: 'Public settings for clients',
    responses: {
      200: {
        description: 'Settings',
        schema: z
          .object({
            version: z.string(),
            job_retention_days: z.int().describe('0: ended jobs are kept; for display'),
            max_body_bytes: z.int().describe('largest JSON request body'),
          })
          .openapi('ClientConfig'),
      },
    },
    handler: async () =>
      reply(200, {
        version: config.version,
        job_retention_days: config.jobRetentionDays,
        max_body_bytes: config.maxBodyBytes,
      }),
  }),
]
