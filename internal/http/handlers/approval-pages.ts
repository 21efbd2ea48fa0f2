import { AppError } from '#core/error.ts'
import type { Answer } from '#core/flow/approval/decide.ts'
import { readForm } from '#core/flow/approval/form.ts'
import { isJsonObject, type JsonObject } from '#core/json/value.ts'
import type { Deps } from '#service/deps.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import { type AskedApproval, openApprovalLink } from '#service/flows/asked-approval.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { type AnswerOf, ok } from '../answer.ts'
import type { InputOf } from '../endpoint.ts'
import { approvalPageEndpoints } from '../endpoints/approval-pages.ts'
import { givenReason } from '../given-reason.ts'
import { handlers } from '../handlers.ts'
import { type ApprovalPage, answeredPage, askPage } from '../pages/approval-page.ts'
import { readSentFields, type SentFields } from '../pages/form-body.ts'
import { asPage } from '../pages/page-error.ts'
import { languageOf } from '../pages/page-language.ts'
import { parsePart } from '../request.ts'
import { reasonFields } from '../schemas/shared-bodies.ts'

type PageDeps = FlowDeps & Pick<Deps, 'home'>

type Decision = Exclude<ApprovalPage, 'approval'>

const toAnswer = (page: Decision, { step }: AskedApproval, { texts, json }: SentFields): Answer => {
  if (page === 'reject') {
    const body = parsePart(reasonFields, json ?? Object.fromEntries(texts), 'body')
    return { kind: 'reject', reason: givenReason(body.reason) }
  }
  const form = step.approval?.resumeForm ?? []
  return { kind: 'approve', values: json === null ? readForm(form, texts) : valuesOf(json) }
}

/** Accepts `{values: {…}}` as the API does, or the fields themselves. */
const valuesOf = (json: JsonObject): JsonObject => {
  const { values, ...others } = json
  return isJsonObject(values) && Object.keys(others).length === 0 ? values : json
}

type Shown = InputOf<typeof approvalPageEndpoints.getApprovalPage>

const show = (deps: PageDeps, page: ApprovalPage, input: Shown): Promise<Response> =>
  asPage(input, async () => {
    const asked = await openApprovalLink(deps, input.query.t)
    return askPage({ asked, page, language: languageOf(input) })
  })

type Sent = InputOf<typeof approvalPageEndpoints.approveByLink>

const decide = async (
  deps: PageDeps,
  page: Decision,
  input: Sent,
): Promise<AnswerOf<typeof approvalPageEndpoints.approveByLink.answers>> => {
  const asked = await openApprovalLink(deps, input.query.t)
  const { ws, runId: id, index, approver } = asked
  const sent = await readSentFields(input)
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
  return sent.json === null ? answeredPage(answer.kind, languageOf(input)) : ok({ decision })
}

export const approvalPageRoutes = handlers(approvalPageEndpoints, (deps: PageDeps) => ({
  getApprovalPage: (input) => show(deps, 'approval', input),
  getApprovePage: (input) => show(deps, 'approve', input),
  getRejectPage: (input) => show(deps, 'reject', input),
  approveByLink: (input) => asPage(input, () => decide(deps, 'approve', input)),
  rejectByLink: (input) => asPage(input, () => decide(deps, 'reject', input)),
}))
