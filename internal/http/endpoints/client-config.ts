import { json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { z } from '../schemas/z.ts'

export const clientConfigEndpoints = {
  getClientConfig: endpoint({
    method: 'get',
    path: '/api/config',
    admits: ['public'],
    tag: 'Clients',
    summary: 'Public settings for clients',
    answers: {
      200: json(
        'Settings',
        z
          .object({
            version: z.string(),
            job_retention_days: z.int().describe('0: ended jobs are kept; for display'),
            max_body_bytes: z.int().describe('largest JSON request body'),
            oidc: z.boolean().describe('whether people may sign in by an OpenID Connect provider'),
            password_login: z.boolean(),
          })
          .openapi('ClientConfig'),
      ),
    },
  }),
}
