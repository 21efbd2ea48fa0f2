import { limit } from '#core/limit.ts'
import { json, otherVersion, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { appDetail, appHost } from '../schemas/apps.ts'
import { z } from '../schemas/z.ts'

const MAX_HOSTS = limit('app.hosts', 50, 'items', 'Host names of an app.')

const verifiedHost = appHost.extend({
  problem: z.string().nullable().describe('why it is still pending; null when it is active'),
})

export const appHostEndpoints = {
  updateApp: endpoint({
    method: 'patch',
    path: '/apps/{app}',
    in: 'workspace',
    admits: ['*'],
    tag: 'Apps',
    isConditional: true,
    summary:
      'Set the host names of an app. A name is pending until a TXT record proves it; one set by a super admin is active at once',
    body: z.strictObject({ hosts: z.array(z.string().min(1).max(253)).max(MAX_HOSTS) }),
    answers: {
      200: json('The app', appDetail),
      400: problem('No host name (`bad_host`)'),
      404: problem('Unknown app'),
      409: problem('Kept for svc itself (`host_reserved`), or another app’s (`host_taken`)'),
      ...otherVersion('The list of host names'),
    },
  }),
  verifyAppHost: endpoint({
    method: 'post',
    path: '/apps/{app}/hosts/{host}/verify',
    in: 'workspace',
    admits: ['*'],
    tag: 'Apps',
    summary: 'Look for the TXT record of a host name; where it is there, the name is active',
    answers: {
      200: json('The host name as it is now', verifiedHost),
      404: problem('Unknown app, or a name that was not set'),
      409: problem('Kept for svc itself (`host_reserved`), or another app’s (`host_taken`)'),
    },
  }),
}
