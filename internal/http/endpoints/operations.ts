import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from '#core/job/job-batch.ts'
import { JOB_STATUS_FILTERS, MAX_OPERATION_IDS, OPERATION_KINDS } from '#core/job/operation.ts'
import { TRIGGER_KINDS } from '#core/job/trigger-kind.ts'
import { tagName } from '#core/placement/tag-name.ts'
import { timeText } from '#core/rfc3339.ts'
import { json, problem, queueFull } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { jobAccepted } from '../schemas/jobs.ts'
import { labelQuery } from '../schemas/label.ts'
import { operation } from '../schemas/operations.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { timeQuery } from '../schemas/time.ts'
import { jsonObject, jsonValue, z } from '../schemas/z.ts'

const batchItem = z.strictObject({
  app: z.string().max(200),
  action: z.string().max(200),
  input: jsonObject.optional().describe('becomes ctx.input; default {}'),
  idempotency_key: z.string().min(1).max(255).optional(),
  tag: tagName.optional(),
  scheduled_for: timeText.optional(),
  priority: z.int().min(-100).max(100).optional(),
})

const replayBody = z
  .strictObject({
    commit: z
      .enum(['pinned', 'latest'])
      .default('pinned')
      .describe('what the job ran, or what is deployed now'),
    input: jsonValue.optional().describe('replaces the input; an object if that is one'),
  })
  .optional()

const bulkBody = z.strictObject({
  do: z.enum(OPERATION_KINDS),
  filter: z.strictObject({
    ids: z.array(z.uuid()).min(1).max(MAX_OPERATION_IDS).optional().describe('only these jobs'),
    status: z.enum(JOB_STATUS_FILTERS).optional(),
    app: z.string().max(200).optional(),
    action: z.string().max(200).optional(),
    trigger_kind: z.enum(TRIGGER_KINDS).optional(),
    suspended: z
      .boolean()
      .optional()
      .describe('jobs that wait for a durable step; false: all but these'),
    in_flow: z.boolean().optional().describe('jobs of flow runs; false: all but these'),
    dismissed: z.boolean().optional().describe('dismissed failures; false: all but these'),
    label: labelQuery.optional().describe('jobs with this label'),
    since: timeQuery.optional().describe('created at or after'),
    until: timeQuery.optional().describe('created at or before'),
  }),
  dry_run: z.boolean().optional().describe('only counts what matches'),
})

export const operationEndpoints = {
  runJobBatch: endpoint({
    method: 'post',
    path: '/jobs/batch',
    in: 'workspace',
    admits: ['jobs:run'],
    rate: 'run',
    tag: 'Jobs',
    summary: 'Queue many jobs in one commit, all or none',
    body: z.strictObject({ items: z.array(batchItem).min(1).max(MAX_BATCH_ITEMS) }),
    bodyLimit: MAX_BATCH_BYTES,
    answers: {
      201: json(
        'Queued',
        z.object({
          job_ids: z.array(z.uuid()).describe('in the order of the items'),
          queued: z.int().describe('new jobs; an item with a used key or a debounce may make none'),
        }),
      ),
      400: problem('An item is not as it must be, or its input does not fit; names `items[i]`'),
      403: problem('Missing scope; `tag_not_allowed`'),
      404: problem('Unknown app or action'),
      409: problem('An idempotency_key was used with another input'),
      413: problem('Body or an input over the limit'),
      429: problem('Too many requests, or the queue has no room for all (`queue_full`)'),
      503: problem('The checks of the inputs took too long (`batch_too_slow`)'),
    },
  }),
  replayJob: endpoint({
    method: 'post',
    path: '/jobs/{id}/replay',
    in: 'workspace',
    admits: ['jobs:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Jobs',
    summary: 'Run an ended job again, as a new job',
    body: replayBody,
    bodyKind: 'optional_json',
    answers: {
      201: json('Queued', jobAccepted),
      400: problem('The input is not an object, as it was, or does not fit the schema'),
      403: problem('Neither the creator nor an admin; `tag_not_allowed`'),
      404: problem('Unknown job, or its app is gone'),
      409: problem('The job has not ended'),
      ...queueFull,
    },
  }),
  startBulkOperation: endpoint({
    method: 'post',
    path: '/jobs/bulk',
    in: 'workspace',
    admits: ['jobs:run'],
    rate: 'run',
    isIdempotentByKey: true,
    tag: 'Jobs',
    summary: 'Cancel or replay all jobs that match; members act on their own jobs',
    body: bulkBody,
    answers: {
      200: json('What would match (`dry_run`)', z.object({ matched: z.int() })),
      202: json('Accepted', z.object({ operation_id: z.uuid(), matched: z.int() })),
      400: problem('Empty filter, or too many jobs match (`too_many_jobs`)'),
      429: problem('Too many requests, or too many open operations (`too_many_operations`)'),
      409: problem('The Idempotency-Key was used with another body'),
    },
  }),
  listOperations: endpoint({
    method: 'get',
    path: '/operations',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary: 'Operations on many jobs, newest first; members see their own',
    query: pageQuery,
    answers: { 200: json('A page', pageOf(operation)), 400: problem('Bad cursor') },
  }),
  getOperation: endpoint({
    method: 'get',
    path: '/operations/{id}',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary: 'How far an operation on many jobs is',
    answers: { 200: json('The operation', operation), 404: problem('Unknown id') },
  }),
  stopOperation: endpoint({
    method: 'post',
    path: '/operations/{id}/stop',
    in: 'workspace',
    admits: ['jobs:run'],
    tag: 'Jobs',
    summary: 'Stop an operation on many jobs; what it has done stays done',
    answers: {
      200: json('The operation; one that had ended stays as it is', operation),
      404: problem('Unknown id'),
    },
  }),
}
