/** Reads a flow run with every step of its definition and the status of each, decrypted. */

import type { Shown } from '#core/flow/approval/shown.ts'
import { armStates } from '#core/flow/arms.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import type { ArmState } from '#core/flow/kinds/step-kind.ts'
import { findStep, type PlaceKind } from '#core/flow/position.ts'
import { isRunOver, type StepStatus } from '#core/flow/run.ts'
import { JsonText } from '#core/json/text.ts'
import { isSealed } from '#crypto/keyring.ts'
import { type Approval, listApprovals } from '#store/flows/approvals.ts'
import { type DismissedRun, findRunDismissal } from '#store/flows/run-dismissals.ts'
import { type FlowRun, findFlowRun } from '#store/flows/runs.ts'
import { type FlowStepRow, listFlowSteps } from '#store/flows/steps.ts'
import {
  type ChildRun,
  listChildRuns,
  listRunJobs,
  type StepJob,
} from '#store/jobs/flow-children.ts'
import { findIdentityName } from '#store/people/identity-name.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import {
  approvalPlace,
  type FlowCipher,
  flowCipher,
  type Place,
  runPlace,
  stepPlace,
} from './cipher.ts'
import type { WithFlows } from './engine.ts'
import { createPace } from './pace.ts'
import { openShown } from './read-shown.ts'
import { type RunStep, runSteps } from './run-steps.ts'

type ReadDeps = Pick<Deps, 'db' | 'keyring'> & WithFlows

export type StepDetail = Readonly<{
  key: string
  kind: PlaceKind
  status: StepStatus
  attempt: number
  maxAttempts: number
  jobIds: readonly string[]
  /** Null if the step starts no runs. */
  flowRunIds: readonly string[] | null
  result: JsonText | null
  error: JsonText | null
  startedAt: number | null
  completedAt: number | null
  /** Milliseconds until a worker claimed its first child. */
  queueWaitMs: number | null
  /** Milliseconds from then to its end. */
  executionMs: number | null
  /** Milliseconds until an approval was answered. */
  humanWaitMs: number | null
  /** The answers of an approval step; null for other kinds. */
  approvals: readonly ApprovalDetail[] | null
  /** What an approval shows to people; null if it shows nothing, and for other kinds. */
  shown: Shown | null
  /** The arms of a branch; null for other kinds. */
  arms: readonly ArmState[] | null
}>

export type ApprovalDetail = Omit<Approval, 'form' | 'index'> &
  Readonly<{ values: JsonText | null }>

export type RunDetail = Readonly<{
  run: FlowRun
  /** Null if the creator is a name itself, or was deleted. */
  createdByName: string | null
  definition: FlowDefinition
  input: JsonText
  result: JsonText | null
  error: JsonText | null
  current: Readonly<{ index: number; key: string }> | null
  /** Null if it was not dismissed. */
  dismissal: DismissedRun | null
  steps: readonly StepDetail[]
}>

/** @returns null if the run does not exist */
export const readRun = async (
  deps: ReadDeps,
  ws: string,
  id: string,
): Promise<RunDetail | null> => {
  const { db } = deps
  const run = await findFlowRun(db, ws, id)
  const workspace = run === null ? null : await findWorkspace(db, ws)
  if (run === null || workspace === null) return null
  const [steps, jobs, children, approvals, pinned, dismissal, createdByName] = await Promise.all([
    listFlowSteps(db, id),
    listRunJobs(db, id),
    listChildRuns(db, id),
    listApprovals(db, id),
    deps.flows.pinned.find(run.deploymentId),
    run.status === 'failed' ? findRunDismissal(db, ws, id) : null,
    findIdentityName(db, ws, run.createdBy),
  ])
  const definition = pinned.flows.get(run.flow)
  if (definition === undefined) throw new Error(`The deployment of run ${id} lacks its flow.`)
  const cipher = flowCipher(deps.keyring, { ws, wrappedKey: workspace.wrappedKey })
  const open = (field: string, text: string | null) => openText(cipher, runPlace(id, field), text)
  const input = stored(cipher, runPlace(id, 'input'), run.input)
  const parts = { runId: id, definition, input, cipher, steps, jobs, children, approvals }
  const key = findStep(definition, run.stepIndex)?.key ?? null
  return {
    run,
    createdByName,
    definition,
    input,
    result: open('result', run.result),
    error: open('error', run.error),
    dismissal,
    current: isRunOver(run.status) || key === null ? null : { index: run.stepIndex, key },
    steps: await toDetails(parts, runSteps(definition, pinned.actions, steps)),
  }
}

/** Reads the steps with turns for other work, because their results may be large. */
const toDetails = async (parts: Parts, all: readonly RunStep[]): Promise<readonly StepDetail[]> => {
  const pace = createPace()
  const details: StepDetail[] = []
  for (const each of all) {
    const detail = toDetail(parts, each)
    details.push(detail)
    await pace(detail.result?.text.length ?? 0)
  }
  return details
}

const stored = (cipher: FlowCipher, place: Place, text: string): JsonText =>
  new JsonText(isSealed(text) ? cipher.openJson(place, text) : text)

const openText = (cipher: FlowCipher, place: Place, text: string | null): JsonText | null =>
  text === null ? null : stored(cipher, place, text)

type Parts = Readonly<{
  runId: string
  definition: FlowDefinition
  input: JsonText
  cipher: FlowCipher
  steps: readonly FlowStepRow[]
  jobs: readonly StepJob[]
  children: readonly ChildRun[]
  approvals: readonly Approval[]
}>

const toDetail = (parts: Parts, step: RunStep): StepDetail => {
  const { index, key, kind, maxAttempts } = step
  const { runId, cipher } = parts
  const row = parts.steps.find((each) => each.index === index)
  const jobs = parts.jobs.filter((job) => job.index === index)
  const runs = parts.children.filter((child) => child.index === index)
  const open = (field: 'result' | 'error', text: string | null) =>
    openText(cipher, stepPlace(runId, index, field), text)
  const status = row?.status ?? 'pending'
  return {
    key,
    kind,
    status,
    // the jobs of an approval are reminders, not attempts; a subflow is not retried, so its run is the only attempt
    attempt: step.asksPeople
      ? 0
      : Math.max(runs.length > 0 ? 1 : 0, ...jobs.map(({ attempt }) => attempt)),
    maxAttempts,
    jobIds: jobs.map(({ id }) => id),
    flowRunIds: step.startsRuns ? runs.map(({ id }) => id) : null,
    result: open('result', row?.result ?? null),
    error: open('error', row?.error ?? null),
    startedAt: row?.startedAt ?? null,
    completedAt: row?.completedAt ?? null,
    ...timesOf(step, row, jobs),
    approvals: step.asksPeople ? toApprovals(parts, index) : null,
    shown: row?.shown == null ? null : openShown(cipher, { runId, index }, row.shown),
    arms: toArms(parts, index, { status, jobs }),
  }
}

/** Returns the arms of a branch. Decrypts nothing for other steps. */
const toArms = (
  { runId, definition, input, cipher, steps, children }: Parts,
  index: number,
  { status, jobs }: Readonly<{ status: StepStatus; jobs: readonly StepJob[] }>,
): readonly ArmState[] | null => {
  const step = definition.steps[index]
  if (step?.branches === undefined) return null
  const before = steps.filter((row) => row.index < index && row.completedAt !== null)
  const results = new Map(
    before.map(({ key, index: at, result }) => [
      key,
      openText(cipher, stepPlace(runId, at, 'result'), result)?.toJSON() ?? null,
    ]),
  )
  // the last attempt of a slot comes last
  const runs = children.filter((child) => child.index === index)
  const bySlot = new Map([...jobs, ...runs].map(({ slot, status: now }) => [slot, now]))
  return armStates(step, { status, jobs: bySlot, data: { input: input.toJSON(), results } })
}

type Times = Pick<StepDetail, 'queueWaitMs' | 'executionMs' | 'humanWaitMs'>

const NO_TIMES: Times = { queueWaitMs: null, executionMs: null, humanWaitMs: null }

const timesOf = (
  { asksPeople: isForPeople, startsRuns }: RunStep,
  row: FlowStepRow | undefined,
  jobs: readonly StepJob[],
): Times => {
  if (row === undefined) return NO_TIMES
  const { startedAt, completedAt } = row
  const since = (from: number): number | null =>
    completedAt === null ? null : Math.max(completedAt - from, 0)
  if (isForPeople) return { ...NO_TIMES, humanWaitMs: since(startedAt) }
  const starts = jobs.flatMap((job) => job.startedAt ?? [])
  if (startsRuns) return { ...NO_TIMES, executionMs: since(startedAt) }
  if (starts.length === 0) return NO_TIMES
  const first = Math.min(...starts)
  return { ...NO_TIMES, queueWaitMs: Math.max(first - startedAt, 0), executionMs: since(first) }
}

const toApprovals = (
  { runId, cipher, approvals }: Parts,
  index: number,
): readonly ApprovalDetail[] =>
  approvals
    .filter((each) => each.index === index)
    .map(({ approver, decision, form, reason, via, at }) => ({
      approver,
      decision,
      reason,
      via,
      at,
      values: openText(cipher, approvalPlace(runId, index, approver), form),
    }))
