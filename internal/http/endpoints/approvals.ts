import { json, problem } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { creatorName } from '../schemas/creator.ts'
import { flagQuery } from '../schemas/flag.ts'
import { flowRunDetail, formField, shownFields } from '../schemas/flows.ts'
import { pageOf, pageQuery } from '../schemas/page.ts'
import { jsonObject, z } from '../schemas/z.ts'
import { time } from '../wire.ts'

const step = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('the step that is meant; a run that waits at another one answers 409')

const approveBody = z
  .strictObject({ values: jsonObject.default({}).openapi({ default: {} }), step })
  .optional()

const rejectBody = z.strictObject({ reason: z.string().max(1_000).optional(), step }).optional()

const refusals = {
  403: problem('The requester’s own run, and the step does not allow that'),
  404: problem('Unknown id'),
  409: problem('The run waits for no answer, or this person has given one'),
}

const waitingRun = z
  .object({
    flow_run_id: z.uuid(),
    app: z.string(),
    flow: z.string(),
    step: z.string(),
    created_by: z.string(),
    created_by_name: creatorName,
    waiting_since: time,
    expires_at: time.nullable(),
    required_events: z.int(),
    approved_by: z.array(z.string()),
    ...shownFields,
    resume_form: z.array(formField),
    may_answer: z.boolean().describe('whether the caller may approve it'),
  })
  .openapi('WaitingApproval')

export const approvalEndpoints = {
  listApprovals: endpoint({
    method: 'get',
    path: '/approvals',
    in: 'workspace',
    admits: ['flows:read'],
    tag: 'Flows',
    summary: 'Runs that wait for an approval, newest first; mine=true: those that wait for me',
    query: pageQuery.extend({ mine: flagQuery.prefault('false') }),
    answers: { 200: json('A page', pageOf(waitingRun)), 400: problem('Bad cursor') },
  }),
  approveFlowRun: endpoint({
    method: 'post',
    path: '/flow-runs/{id}/approve',
    in: 'workspace',
    admits: ['flows:resume'],
    tag: 'Flows',
    summary: 'Approve the step at which a run waits',
    body: approveBody,
    bodyKind: 'optional_json',
    answers: {
      200: json('The run', flowRunDetail),
      400: problem('A field is missing or not valid'),
      ...refusals,
    },
  }),
  rejectFlowRun: endpoint({
    method: 'post',
    path: '/flow-runs/{id}/reject',
    in: 'workspace',
    admits: ['flows:resume'],
    tag: 'Flows',
    summary: 'Reject the step at which a run waits: the run fails',
    body: rejectBody,
    bodyKind: 'optional_json',
    answers: { 200: json('The run', flowRunDetail), ...refusals },
  }),
}
