/** Flows, their runs and links as endpoints return them, if that is more than the row. */
import { asksPeople } from '#core/flow/kinds.ts'
import { isRunOver } from '#core/flow/run.ts'
import type { CurrentFlow } from '#service/flows/find-flow.ts'
import type { RunDetail } from '#service/flows/read-run.ts'
import type { FlowLink } from '#store/flows/links.ts'
import type { FlowRunRow } from '#store/flows/run-list.ts'

export const toFlow = ({ app, commit, definition }: CurrentFlow) => ({
  app,
  key: definition.key,
  commit,
  hasApproval: definition.steps.some(asksPeople),
  definition,
})

export const toFlowRun = (row: FlowRunRow) => ({
  ...row,
  flowRunId: row.id,
  currentStep:
    isRunOver(row.status) || row.stepKey === null
      ? null
      : { index: row.stepIndex, key: row.stepKey },
})

export const toFlowRunDetail = ({ run, current, dismissal, ...detail }: RunDetail) => ({
  ...run,
  ...detail,
  ...dismissal,
  flowRunId: run.id,
  currentStep: current,
})

export const toFlowLink = (link: FlowLink) => ({
  ...link,
  linkId: link.id,
  tokenPrefix: link.prefix,
  publicForm: JSON.parse(link.formJson),
  active: !link.hasEnded,
})
