import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { deliveryAccepted, deliveryFailed } from '../schemas/webhooks.ts'
import { jsonValue, z } from '../schemas/z.ts'

export const hookEndpoints = {
  receiveDelivery: endpoint({
    method: 'post',
    path: '/hook/{ws}/{app}/{key}',
    admits: ['public'],
    // counted per webhook, after the look-up has found it
    rate: 'off',
    tag: 'Webhooks',
    summary:
      'Deliver to a webhook of an app: any body, verified by the scheme that the webhook names',
    query: z.looseObject({}),
    freeQuery: true,
    // the body is read after the look-up, so that an unknown address always gets the same 404
    bodyKind: 'stream',
    answers: {
      200: json('The result, where the webhook waits for it; or the challenge of Slack', jsonValue),
      202: json('Accepted', deliveryAccepted),
      400: problem('The text does not fit the schema of the action'),
      401: problem('The signature does not fit, or is too old (`bad_signature`)'),
      404: problem('Unknown workspace, app or webhook'),
      413: problem('Body over the limit'),
      429: problem('Too many deliveries, or too many queued jobs (`queue_full`)'),
      502: json('The job or flow run failed (`job_failed`)', deliveryFailed),
    },
  }),
}
