/** Reads a flow run with every step of its definition and the status of each, decrypted. */

import type { Shown } from '#core/flow/approval/shown.ts'
import { armStates } from '#core/flow/arms.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { countItems, type ItemCounts } from '#core/flow/item-counts.ts'
import type { ArmState } from '#core/flow/kinds/step-kind.ts'
import { stepsNamedByArms } from '#core/flow/needed-steps.ts'
import { findStep, type PlaceKind } from '#core/flow/position.ts'
import { isRunOver, type StepStatus } from '#core/flow/run.ts'
import type { Ending } from '#core/flow/run-state.ts'
import { JsonText } from '#core/json/text.ts'
import type { JsonValue } from '#core/json/value.ts'
import { isSealed } from '#crypto/keyring.ts'
import { type Approval, listApprovals } from '#store/flows/approvals.ts'
import { type DismissedRun, findRunDismissal } from '#store/flows/run-dismissals.ts'
import { findRunLabels } from '#store/flows/run-labels.ts'
import { type FlowRun, type FlowRunHead, findFlowRun, findRunHead } from '#store/flows/runs.ts'
import {
  countWaitingSlots,
  type FlowStepRow,
  type FlowStepStatus,
  listStepStatuses,
} from '#store/flows/steps.ts'
import type { ChildRun, StepJob } from '#store/jobs/flow-children.ts'
import { findIdentityName } from '#store/people/identity-name.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../portions/pace.ts'
import { parseJson } from '../portions/parse-json.ts'
import {
  approvalPlace,
  type FlowCipher,
  flowCipher,
  type Place,
  runPlace,
  stepPlace,
} from './cipher.ts'
import { toEnding } from './ending-json.ts'
import type { WithFlows } from './engine.ts'
import type { PinnedApp } from './pinned-flows.ts'
import { openShown } from './read-shown.ts'
import { type RunStep, readFlowSteps, runSteps } from './run-steps.ts'
import { readStepChildren, type StepChildren } from './step-children.ts'

type ReadDeps = Pick<Deps, 'db' | 'keyring'> & WithFlows

export type StepDetail = Readonly<{
  key: string
  kind: PlaceKind
  status: StepStatus
  attempt: number
  maxAttempts: number
  /** A list of ids. */
  jobIds: JsonText
  /** A list of ids; null if the step starts no runs. */
  flowRunIds: JsonText | null
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
  /** The items of a loop; null for other kinds, and before it begins. */
  items: ItemCounts | null
}>

export type ApprovalDetail = Omit<Approval, 'form' | 'index'> &
  Readonly<{ values: JsonText | null }>

export type RunDetail = Readonly<{
  run: FlowRun
  /** Null if the creator is a name itself, or was deleted. */
  createdByName: string | null
  labels: readonly string[]
  definition: FlowDefinition
  input: JsonText
  result: JsonText | null
  error: JsonText | null
  current: Readonly<{ index: number; key: string }> | null
  /** How a run that is failing or being canceled will end; null for other runs. */
  endsAs: Ending['status'] | null
  /** Null if it was not dismissed. */
  dismissal: DismissedRun | null
  steps: readonly StepDetail[]
}>

const findDefinition = (run: FlowRunHead, { flows }: PinnedApp): FlowDefinition => {
  const definition = flows.get(run.flow)
  if (definition === undefined) throw new Error(`The deployment of run ${run.id} lacks its flow.`)
  return definition
}

export type RunOutline = Pick<RunDetail, 'definition'> &
  Readonly<{ steps: readonly FlowStepStatus[] }>

/** Reads the statuses of the steps that have begun. @returns null if the run does not exist */
export const readOutline = async (
  { db, flows }: Pick<ReadDeps, 'db' | 'flows'>,
  ws: string,
  id: string,
): Promise<RunOutline | null> => {
  const run = await findRunHead(db, ws, id)
  if (run === null) return null
  const definition = findDefinition(run, await flows.pinned.find(run.deploymentId))
  return { definition, steps: await listStepStatuses(db, id) }
}

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
  const pinned = await deps.flows.pinned.find(run.deploymentId)
  const definition = findDefinition(run, pinned)
  const [steps, childrenOf, approvals, dismissal, createdByName, labels] = await Promise.all([
    readFlowSteps(db, id),
    readStepChildren(deps, { ws, id }),
    listApprovals(db, id),
    run.status === 'failed' ? findRunDismissal(db, ws, id) : null,
    findIdentityName(db, ws, run.createdBy),
    findRunLabels(db, ws, id),
  ])
  const cipher = flowCipher(deps.keyring, { ws, wrappedKey: workspace.wrappedKey })
  const open = (field: string, text: string | null) => openText(cipher, runPlace(id, field), text)
  const input = await stored(cipher, runPlace(id, 'input'), run.input)
  const isBranched = definition.steps.some(({ branches }) => branches !== undefined)
  const data = { input: isBranched ? await parseJson(input.text) : null, results: new Map() }
  const waiting = isRunOver(run.status)
    ? 0
    : await countWaitingSlots(db, { runId: id, index: run.stepIndex })
  const waitingAt = (index: number) => (index === run.stepIndex ? waiting : 0)
  const parts = { runId: id, definition, cipher, steps, childrenOf, waitingAt, approvals, data }
  const key = findStep(definition, run.stepIndex)?.key ?? null
  return {
    run,
    createdByName,
    labels,
    definition,
    input,
    result: await open('result', run.result),
    error: await open('error', run.error),
    dismissal,
    endsAs: await readEndsAs(cipher, run),
    current: isRunOver(run.status) || key === null ? null : { index: run.stepIndex, key },
    steps: await toDetails(parts, runSteps(definition, pinned.actions, steps)),
  }
}

const readEndsAs = async (
  cipher: FlowCipher,
  { id, status, failure }: FlowRun,
): Promise<Ending['status'] | null> =>
  isRunOver(status) || failure === null
    ? null
    : toEnding(await cipher.read(runPlace(id, 'failure'), failure)).status

/** Reads the steps with turns for other work, because their results may be large. */
const toDetails = async (parts: Parts, all: readonly RunStep[]): Promise<readonly StepDetail[]> => {
  const pace = createPace()
  const details: StepDetail[] = []
  for (const each of all) {
    const detail = await toDetail(parts, each)
    details.push(detail)
    await pace(detail.jobIds.text.length + (detail.result?.text.length ?? 0))
  }
  return details
}

const stored = async (cipher: FlowCipher, place: Place, text: string): Promise<JsonText> =>
  new JsonText(isSealed(text) ? await cipher.readJson(place, text) : text)

const openText = async (cipher: FlowCipher, place: Place, text: string | null) =>
  text === null ? null : stored(cipher, place, text)

type Parts = Readonly<{
  runId: string
  definition: FlowDefinition
  cipher: FlowCipher
  steps: readonly FlowStepRow[]
  childrenOf: (index: number) => StepChildren
  /** How many items of a step wait for their turn. */
  waitingAt: (index: number) => number
  approvals: readonly Approval[]
  /** What the conditions of arms name: the input of a run with branches, and the results that were read so far, by step. */
  data: Readonly<{ input: JsonValue; results: Map<string, JsonValue> }>
}>

const toDetail = async (parts: Parts, step: RunStep): Promise<StepDetail> => {
  const { index, key, kind, maxAttempts } = step
  const { runId, cipher } = parts
  const row = parts.steps.find((each) => each.index === index)
  const { jobs, runs } = parts.childrenOf(index)
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
      : jobs.reduce((most, { attempt }) => Math.max(most, attempt), runs.length > 0 ? 1 : 0),
    maxAttempts,
    jobIds: toIds(jobs),
    flowRunIds: step.startsRuns ? toIds(runs) : null,
    result: await open('result', row?.result ?? null),
    error: await open('error', row?.error ?? null),
    startedAt: row?.startedAt ?? null,
    completedAt: row?.completedAt ?? null,
    ...timesOf(step, row, jobs),
    approvals: step.asksPeople ? await toApprovals(parts, index) : null,
    shown: row?.shown == null ? null : openShown(cipher, { runId, index }, row.shown),
    arms: await toArms(parts, index, { status, children: [...jobs, ...runs] }),
    items:
      parts.definition.steps[index]?.items === undefined
        ? null
        : countItems([...jobs, ...runs], {
            waiting: parts.waitingAt(index),
            refused: row?.refused ?? 0,
          }),
  }
}

const toIds = (children: readonly Readonly<{ id: string }>[]): JsonText =>
  new JsonText(JSON.stringify(children.map(({ id }) => id)))

/** Returns the arms of a branch. Decrypts nothing for other steps. */
const toArms = async (
  { runId, definition, cipher, steps, data }: Parts,
  index: number,
  { status, children }: Readonly<{ status: StepStatus; children: readonly (StepJob | ChildRun)[] }>,
): Promise<readonly ArmState[] | null> => {
  const step = definition.steps[index]
  if (step?.branches === undefined) return null
  const named = stepsNamedByArms(step)
  for (const { key, index: at, result, completedAt } of steps) {
    if (at >= index || completedAt === null || !named.has(key) || data.results.has(key)) continue
    const place = stepPlace(runId, at, 'result')
    data.results.set(key, result === null ? null : await cipher.read(place, result))
  }
  // the last attempt of an arm comes last
  const jobs = new Map(children.map(({ slot, status: now }) => [slot, now]))
  const isResultNeeded =
    status === 'success' && step.continueOnError === true && jobs.size < step.branches.length
  const text = isResultNeeded ? steps.find((each) => each.index === index)?.result : null
  const result = text == null ? null : await cipher.read(stepPlace(runId, index, 'result'), text)
  return armStates(step, { status, jobs, data, result })
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
  if (startsRuns) return { ...NO_TIMES, executionMs: since(startedAt) }
  const starts = jobs.flatMap((job) => job.startedAt ?? [])
  if (starts.length === 0) return NO_TIMES
  const first = starts.reduce((least, at) => Math.min(least, at))
  return { ...NO_TIMES, queueWaitMs: Math.max(first - startedAt, 0), executionMs: since(first) }
}

const toApprovals = (
  { runId, cipher, approvals }: Parts,
  index: number,
): Promise<readonly ApprovalDetail[]> =>
  Promise.all(
    approvals
      .filter((each) => each.index === index)
      .map(async ({ form, index: _, ...answer }) => ({
        ...answer,
        values: await openText(cipher, approvalPlace(runId, index, answer.approver), form),
      })),
  )
