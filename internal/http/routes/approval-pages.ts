/**
 * GET       /api/flow/approval?t=<signed text>
 * GET, POST /api/flow/approve?t=<signed text>
 * GET, POST /api/flow/reject?t=<signed text>
 *
 * A GET decides nothing: mail scanners and previews open links.
 */
import { html } from 'hono/html'
import { AppError, type ErrorDetail } from '#core/error.ts'
import type { Answer } from '#core/flow/approval/decide.ts'
import { readForm } from '#core/flow/approval/form.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import { type AskedApproval, openApprovalLink } from '#service/flows/asked-approval.ts'
import type { FlowDeps } from '#service/flows/load-run.ts'
import { readSentFields, type SentFields } from '../form-body.ts'
import { formFields } from '../form-fields.ts'
import { type PageContent, toPageResponse } from '../page.ts'
import { asPage } from '../page-error.ts'
import { problem, publicRoute, type RequestFacts, type Route, reply } from '../route.ts'
import { toTimestamp } from '../schemas/time.ts'
import { z } from '../schemas/z.ts'

const query = z.object({ t: z.string().max(2_000).default('') })

const PAGES = ['approval', 'approve', 'reject'] as const
type Page = (typeof PAGES)[number]

const refusals = {
  403: problem('Changed on its way, or the requester’s own run'),
  409: problem('The run has not come to this step yet'),
  410: problem('Used, expired, or the step is over'),
}

type Filled = Readonly<{ typed: ReadonlyMap<string, string>; faults: readonly ErrorDetail[] }>
const EMPTY: Filled = { typed: new Map(), faults: [] }

const factsOf = ({ app, flow, step, requester, startedAt, approver }: AskedApproval): PageContent =>
  html`<dl><dt>Flow</dt><dd>${app} / ${flow}</dd><dt>Step</dt><dd>${step.key}</dd>
<dt>Asked for by</dt><dd>${requester}</dd><dt>Since</dt><dd>${toTimestamp(startedAt)}</dd>
<dt>You answer as</dt><dd>${approver}</dd></dl>`

const askPage = (
  asked: AskedApproval,
  page: Page,
  { typed, faults }: Filled = EMPTY,
): Promise<Response> => {
  const form = asked.step.approval?.resumeForm ?? []
  const token = encodeURIComponent(asked.token)
  const approve = html`<form method="post" action="/api/flow/approve?t=${token}">${formFields({ form, typed, faults })}<button>Approve</button></form>`
  const reject = html`<form method="post" action="/api/flow/reject?t=${token}"><label for="reason">Reason <span class="hint">(optional)</span></label><input name="reason" id="reason" maxlength="1000"><button class="plain">Reject</button></form>`
  return toPageResponse({
    title: 'Your approval is needed',
    status: faults.length === 0 ? 200 : 400,
    headers: { 'x-robots-tag': 'noindex' },
    content: html`${factsOf(asked)}${page === 'reject' ? '' : approve}${page === 'approve' ? '' : reject}`,
  })
}

const toAnswer = (
  page: Exclude<Page, 'approval'>,
  { step }: AskedApproval,
  { texts, json }: SentFields,
): Answer => {
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

const show = (deps: FlowDeps, page: Page): Route =>
  publicRoute({
    method: 'get',
    path: `/api/flow/${page}`,
    tag: 'Public pages',
    summary: 'The page on which an approval link is answered; it decides nothing by itself',
    query,
    responses: { 200: { description: 'A form', contentType: 'text/html' }, ...refusals },
    handler: async (input) =>
      asPage(input, async () => askPage(await openApprovalLink(deps, input.query.t), page)),
  })

type Posted = RequestFacts & Readonly<{ query: z.infer<typeof query> }>

const decide = async (
  deps: FlowDeps,
  page: Exclude<Page, 'approval'>,
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
    return askPage(asked, page, { typed: sent.texts, faults: error.details ?? [] })
  }
  const decision = answer.kind === 'approve' ? 'approved' : 'rejected'
  if (sent.json !== null) return reply(200, { decision })
  return toPageResponse({
    title: answer.kind === 'approve' ? 'Approved' : 'Rejected',
    content: html`<p role="status">Thank you. Your answer is on record; you may close this page.</p>`,
  })
}

const post = (deps: FlowDeps, page: Exclude<Page, 'approval'>): Route =>
  publicRoute({
    method: 'post',
    path: `/api/flow/${page}`,
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
  ...PAGES.map((page) => show(deps, page)),
  post(deps, 'approve'),
  post(deps, 'reject'),
]
