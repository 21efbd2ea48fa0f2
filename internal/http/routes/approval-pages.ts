/**
 * GET       /api/flow/approval?t=<signed text>
 * GET, POST /api/flow/approve?t=<signed text>
 * GET, POST /api/flow/reject?t=<signed text>
 *
 * A GET decides nothing: mail scanners and previews open links.
 */
import { AppError } from '#core/error.ts'
import type { Answer } from '#core/flow/approval/decide.ts'
import { readForm } from '#core/flow/approval/form.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import { type AskedApproval, openApprovalLink } from '#service/flows/asked-approval.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import { APPROVAL_PAGES, type ApprovalPage, answeredPage, askPage } from '../approval-page.ts'
import { readSentFields, type SentFields } from '../form-body.ts'
import { asPage } from '../page-error.ts'
import { languageOf } from '../page-language.ts'
import { problem, publicRoute, type RequestFacts, type Route, reply } from '../route.ts'
import { z } from '../schemas/z.ts'

const query = z.object({ t: z.string().max(2_000).default('') })

const refusals = {
  403: problem('Changed on its way, or the requester’s own run'),
  409: problem('The run has not come to this step yet'),
  410: problem('Used, expired, or the step is over'),
}

type Decision = Exclude<ApprovalPage, 'approval'>

const toAnswer = (page: Decision, { step }: AskedApproval, { texts, json }: SentFields): Answer => {
  if (page === 'reject') {
    const reason = json === null ? texts.get('reason') : json.reason
    const isGiven = typeof reason === 'string' && reason.trim() !== ''
    return { kind: 'reject', reason: isGiven ? reason.trim().slice(0, 1_000) : null }
  }
  const form = step.approval?.resumeForm ?? []
  return { kind: 'approve', values: json === null ? readForm(form, texts) : valuesOf(json) }
}

/** `{values: {…}}` as the API takes it, or the fields themselves. */
const valuesOf = (json: JsonObject): JsonObject => {
  const { values, ...others } = json
  return isJsonObject(values) && Object.keys(others).length === 0 ? values : json
}

const PAGE_OPERATIONS = {
  approval: 'getApprovalPage',
  approve: 'getApprovePage',
  reject: 'getRejectPage',
} as const satisfies Record<ApprovalPage, string>

const show = (deps: FlowDeps, page: ApprovalPage): Route =>
  publicRoute({
    method: 'get',
    path: `/api/flow/${page}`,
    operationId: PAGE_OPERATIONS[page],
    tag: 'Public pages',
    summary: 'The page on which an approval link is answered; it decides nothing by itself',
    query,
    responses: { 200: { description: 'A form', contentType: 'text/html' }, ...refusals },
    handler: async (input) =>
      asPage(input, async () => {
        const asked = await openApprovalLink(deps, input.query.t)
        return askPage({ asked, page, language: languageOf(input) })
      }),
  })

type Posted = RequestFacts & Readonly<{ query: z.infer<typeof query> }>

const decide = async (
  deps: FlowDeps,
  page: Decision,
  input: Posted,
): Promise<Response | ReturnType<typeof reply>> => {
  const asked = await openApprovalLink(deps, input.query.t)
  const { ws, runId: id, index, approver } = asked
  const sent = readSentFields(input)
  const answer = toAnswer(page, asked, sent)
  try {
    await answerApproval(deps, { ws, id, index, approver, via: 'link', answer })
  } catch (error) {
    const isForm = sent.json === null && error instanceof AppError && error.code === 'bad_form'
    if (!isForm) throw error
    const filled = { typed: sent.texts, faults: error.details ?? [] }
    return askPage({ asked, page, language: languageOf(input) }, filled)
  }
  const decision = answer.kind === 'approve' ? 'approved' : 'rejected'
  return sent.json === null
    ? answeredPage(answer.kind, languageOf(input))
    : reply(200, { decision })
}

const post = (deps: FlowDeps, page: Decision): Route =>
  publicRoute({
    method: 'post',
    path: `/api/flow/${page}`,
    operationId: page === 'approve' ? 'approveByLink' : 'rejectByLink',
    tag: 'Public pages',
    summary: `Answer an approval link: ${page}; a form with a field for each key, or JSON`,
    query,
    bodyKind: 'raw',
    rawBody: {
      contentType: 'application/x-www-form-urlencoded',
      schema: z.record(z.string(), z.string()),
    },
    responses: {
      200: {
        description: 'On record; as a page for a form',
        schema: z.object({ decision: z.enum(['approved', 'rejected']) }),
      },
      400: problem('A field is not filled in as the step needs it'),
      ...refusals,
    },
    handler: async (input) => asPage(input, () => decide(deps, page, input)),
  })

export const approvalPageRoutes = (deps: FlowDeps): readonly Route[] => [
  ...APPROVAL_PAGES.map((page) => show(deps, page)),
  post(deps, 'approve'),
  post(deps, 'reject'),
]
