/** Lists runs that wait for people, and whether they wait for a given one. */
import { barOf } from '#core/flow/approval/decide.ts'
import type { FormField } from '#core/flow/approval/form-field.ts'
import { NOTHING_SHOWN, type Shown, type ShownValue } from '#core/flow/approval/shown.ts'
import { unlessNewer } from '#core/newer-svc.ts'
import { listApprovals } from '#store/flows/approvals.ts'
import { type FlowRunRow, listFlowRuns } from '#store/flows/run-list.ts'
import type { Deps } from '../deps.ts'
import type { WithFlows } from './engine.ts'
import { isPlanningFault } from './planning-fault.ts'
import { readShown } from './read-shown.ts'

export type WaitingRun = Readonly<{
  id: string
  app: string
  flow: string
  step: string
  createdBy: string
  createdByName: string | null
  waitingSince: number
  expiresAt: number | null
  requiredEvents: number
  approvedBy: readonly string[]
  title: string | null
  description: string | null
  show: readonly ShownValue[]
  form: readonly FormField[]
  mayAnswer: boolean
}>

export type WaitingRequest = Readonly<{
  approver: string
  /** Only those that the approver may answer. */
  mine: boolean
  beforeId: string | null
  limit: number
}>

type WaitingDeps = Pick<Deps, 'reads' | 'keyring'> & WithFlows

const AT_ONCE = 200
/** The most runs that are read. If this many wait for others, the page ends short. */
const MOST_LOOKED_AT = 5_000

/** Lists waiting runs, newest first. */
export const listWaiting = async (
  deps: WaitingDeps,
  ws: string,
  { approver, mine, beforeId, limit }: WaitingRequest,
): Promise<readonly WaitingRun[]> => {
  const found: WaitingRun[] = []
  let before = beforeId
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += AT_ONCE) {
    const rows = await listFlowRuns(deps.reads, ws, {
      statuses: ['waiting_approval'],
      app: null,
      flow: null,
      since: null,
      until: null,
      beforeId: before,
      limit: AT_ONCE,
    })
    for (const row of rows) {
      const run = await toWaiting(deps, ws, row, { approver, mine })
      if (run !== null) found.push(run)
      if (found.length === limit) return found
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < AT_ONCE) break
    before = last.id
  }
  return found
}

/** @returns null for a run that is not listed; what an approval shows is read only for listed runs */
const toWaiting = async (
  { reads, keyring, flows: { pinned } }: WaitingDeps,
  ws: string,
  row: FlowRunRow,
  { approver, mine }: Pick<WaitingRequest, 'approver' | 'mine'>,
): Promise<WaitingRun | null> => {
  const known = await unlessNewer(() => pinned.find(row.deploymentId), null)
  const step = known?.flows.get(row.flow)?.steps[row.stepIndex]
  if (step === undefined) return null
  const answers = await listApprovals(reads, row.id)
  const approvedBy = answers
    .filter(({ index }) => index === row.stepIndex)
    .map((answer) => answer.approver)
  const given = approvedBy.map((each) => ({ approver: each, values: {} }))
  const requesters = [row.createdBy, row.permissionedAs]
  const mayAnswer = barOf({ step, requesters, given }, approver) === null
  if (mine && !mayAnswer) return null
  return {
    id: row.id,
    app: row.app,
    flow: row.flow,
    step: step.key,
    createdBy: row.createdBy,
    createdByName: row.createdByName,
    waitingSince: row.stepStartedAt ?? row.createdAt,
    expiresAt: row.waitUntil,
    requiredEvents: step.approval?.requiredEvents ?? 1,
    approvedBy,
    ...(await readOrNote(() =>
      readShown({ db: reads, keyring }, ws, { runId: row.id, index: row.stepIndex }),
    )),
    form: step.approval?.resumeForm ?? [],
    mayAnswer,
  }
}

const UNREADABLE: Shown = {
  ...NOTHING_SHOWN,
  description: 'What this step shows cannot be read. Look at the run before you decide.',
}

/** Returns a note instead of what does not decrypt, so that the list still shows the other runs. */
const readOrNote = async (read: () => Promise<Shown>): Promise<Shown> => {
  try {
    return await read()
  } catch (thrown) {
    if (!isPlanningFault(thrown)) throw thrown
    return UNREADABLE
  }
}
