import type { Principal } from '#core/access/principal.ts'
import type { Deps } from '#service/deps.ts'
import type { AnswerRequest } from '#service/flows/answer-approval.ts'
import { answerApproval } from '#service/flows/answer-approval.ts'
import type { FlowDeps } from '#service/flows/engine.ts'
import type { WaitingRun } from '#service/flows/waiting-runs.ts'
import { listWaiting } from '#service/flows/waiting-runs.ts'
import { ok } from '../answer.ts'
import { approvalEndpoints } from '../endpoints/approvals.ts'
import { givenReason } from '../given-reason.ts'
import { handlers } from '../handlers.ts'
import { requireRun, toRunId } from '../require-run.ts'
import { decodeCursor, paginate } from '../schemas/page.ts'
import { toFlowRunDetail } from '../views/flows.ts'

const toWaiting = (run: WaitingRun) => ({ ...run, flowRunId: run.id, resumeForm: run.form })

const answerer = (principal: Principal): Pick<AnswerRequest, 'approver' | 'via'> => ({
  approver: principal.identity,
  via: principal.kind === 'session' ? 'session' : 'api_token',
})

export const approvalRoutes = handlers(
  approvalEndpoints,
  (deps: FlowDeps & Pick<Deps, 'reads' | 'keyring'>) => ({
    listApprovals: async ({ ws, query: { limit, cursor, mine }, principal }) => {
      const rows = await listWaiting(deps, ws, {
        approver: principal.identity,
        mine: mine === 'true',
        beforeId: decodeCursor(cursor),
        limit: limit + 1,
      })
      return ok(paginate(rows.map(toWaiting), limit, ({ id }) => id))
    },
    approveFlowRun: async ({ ws, params, body, principal }) => {
      const id = toRunId(params.id)
      const { values = {}, step: meant } = body ?? {}
      const answer = { kind: 'approve', values } as const
      const named = meant === undefined ? {} : { step: meant }
      await answerApproval(deps, { ws, id, ...answerer(principal), answer, ...named })
      return ok(toFlowRunDetail(await requireRun(deps, ws, id)))
    },
    rejectFlowRun: async ({ ws, params, body, principal }) => {
      const id = toRunId(params.id)
      const { reason, step: meant } = body ?? {}
      const answer = { kind: 'reject', reason: givenReason(reason) } as const
      const named = meant === undefined ? {} : { step: meant }
      await answerApproval(deps, { ws, id, ...answerer(principal), answer, ...named })
      return ok(toFlowRunDetail(await requireRun(deps, ws, id)))
    },
  }),
)
