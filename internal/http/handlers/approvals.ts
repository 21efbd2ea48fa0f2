import type { Principal } from '#core/access/principal.ts'
import type { Answer } from '#core/flow/approval/decide.ts'
import type { Deps } from '#service/deps.ts'
import { type AnswerRequest, answerApproval } from '#service/flows/answer-approval.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import { listWaiting, type WaitingRun } from '#service/flows/waiting-runs.ts'
import { ok } from '../answer.ts'
import { approvalEndpoints } from '../endpoints/approvals.ts'
import { givenReason } from '../given-reason.ts'
import { handlers } from '../handlers.ts'
import { requireRun, toRunId } from '../require-run.ts'
import { pageBefore, paginate } from '../schemas/page.ts'
import { toFlowRunDetail } from '../views/flows.ts'

const toWaiting = (run: WaitingRun) => ({ ...run, flowRunId: run.id, resumeForm: run.form })

const answerer = (principal: Principal): Pick<AnswerRequest, 'approver' | 'via'> => ({
  approver: principal.identity,
  via: principal.kind === 'session' ? 'session' : 'api_token',
})

type ApprovalDeps = FlowDeps & Pick<Deps, 'reads' | 'keyring'>

type Addressed = Readonly<{ ws: string; params: Readonly<{ id: string }>; principal: Principal }>

/** Answers the step at which a run waits; returns the run. */
const giveAnswer = async (
  deps: ApprovalDeps,
  { ws, params, principal }: Addressed,
  { answer, step }: Readonly<{ answer: Answer; step: string | undefined }>,
) => {
  const id = toRunId(params.id)
  const named = step === undefined ? {} : { step }
  await answerApproval(deps, { ws, id, ...answerer(principal), answer, ...named })
  return ok(toFlowRunDetail(await requireRun(deps, ws, id)))
}

export const approvalRoutes = handlers(approvalEndpoints, (deps: ApprovalDeps) => ({
  listApprovals: async ({ ws, query, principal }) => {
    const rows = await listWaiting(deps, ws, {
      approver: principal.identity,
      mine: query.mine,
      ...pageBefore(query),
    })
    return ok(paginate(rows.map(toWaiting), query.limit, ({ id }) => id))
  },
  approveFlowRun: ({ body: { values = {}, step } = {}, ...input }) =>
    giveAnswer(deps, input, { answer: { kind: 'approve', values }, step }),
  rejectFlowRun: ({ body: { reason, step } = {}, ...input }) =>
    giveAnswer(deps, input, { answer: { kind: 'reject', reason: givenReason(reason) }, step }),
}))
