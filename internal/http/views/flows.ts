/** Flows, their runs and links as endpoints return them, if that is more than the row. */
import { waitingForSlot } from '#core/flow/concurrency.ts'
import { asksPeople } from '#core/flow/kinds.ts'
import { BEFORE_FIRST_STEP } from '#core/flow/position.ts'
import { isRunOver } from '#core/flow/run.ts'
import type { Deps } from '#service/deps.ts'
import { runErrorSummary } from '#service/flows/error-summary.ts'
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

/** @returns when a run starts; null if it has, or was canceled before */
const scheduledFor = ({
  stepIndex,
  waitUntil,
}: Pick<FlowRunRow, 'stepIndex' | 'waitUntil'>): number | null =>
  stepIndex === BEFORE_FIRST_STEP ? waitUntil : null

export const toFlowRun = (keyring: Deps['keyring'], row: FlowRunRow) => ({
  ...row,
  errorSummary: runErrorSummary(keyring, row),
  flowRunId: row.id,
  currentStep:
    isRunOver(row.status) || row.stepKey === null
      ? null
      : { index: row.stepIndex, key: row.stepKey },
  scheduledFor: scheduledFor(row),
  waitingFor: waitingForSlot(row),
})

export const toFlowRunDetail = ({ run, current, dismissal, ...detail }: RunDetail) => ({
  ...run,
  ...detail,
  ...dismissal,
  flowRunId: run.id,
  currentStep: current,
  scheduledFor: scheduledFor(run),
  waitingFor: waitingForSlot(run),
})

export const toFlowLink = (link: FlowLink) => ({
  ...link,
  linkId: link.id,
  tokenPrefix: link.prefix,
  publicForm: JSON.parse(link.formJson),
  active: !link.hasEnded,
})
