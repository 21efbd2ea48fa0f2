/** Reads a run for a plan, and decrypts only what the run may still need. */

import { formValuesOf, mayFollowApproval } from '#core/flow/child-context.ts'
import { MAX_RUN_BYTES, MAX_STEP_BYTES } from '#core/flow/data-size.ts'
import type { FlowDefinition } from '#core/flow/definition.ts'
import { doneItem, failedItem } from '#core/flow/item.ts'
import { asksPeople, type FlowStep, flowsOf, kindOf, passesOver } from '#core/flow/kinds.ts'
import { stepsNeededFrom } from '#core/flow/needed-steps.ts'
import { BEFORE_FIRST_STEP, stepAt } from '#core/flow/position.ts'
import { isRunOver } from '#core/flow/run.ts'
import { newRun, type OpenStep, type ResumePoint } from '#core/flow/run-state.ts'
import { isLeft, isUndoable } from '#core/flow/undo.ts'
import type { JsonValue } from '#core/json/value.ts'
import { isSealed } from '#crypto/keyring.ts'
import {
  type FlowRun,
  type LoadedRun,
  listJobResults,
  listSubflowResults,
  loadFlowRun,
  type SlotResult,
} from '#store/flows/runs.ts'
import {
  findLastResult,
  listDoneSteps,
  listRefusedSlots,
  listStepResults,
  listStepStatuses,
  type RefusedSlot,
} from '#store/flows/steps.ts'
import { createPace } from '../portions/pace.ts'
import { parseJson } from '../portions/parse-json.ts'
import { readInPortions } from '../portions/read-portions.ts'
import { type FlowCipher, runPlace, slotPlace, stepPlace, storingFlowCipher } from './cipher.ts'
import { toEnding, toError } from './ending-json.ts'
import type { FlowDeps } from './engine.ts'
import type { PlannedRun } from './planned-run.ts'
import type { LoadRequest } from './run-requests.ts'

/** @returns null if the run does not exist or has ended */
export const loadRun = async (
  deps: FlowDeps,
  { ws, id, children = [], slots = 1, bare = false }: LoadRequest,
): Promise<PlannedRun | null> => {
  const nextSlots = Math.max(children.length, slots)
  const loaded = await loadFlowRun(deps.db, { ws, id, nextSlots })
  if (loaded === null || isRunOver(loaded.run.status)) return null
  const { run, wrappedKey } = loaded
  const pinned = await deps.flows.pinned.find(run.deploymentId)
  const definition = pinned.flows.get(run.flow)
  if (definition === undefined)
    throw new Error(`The deployment of run ${id} has no flow ${run.flow}.`)
  const cipher = storingFlowCipher(deps, { ws, wrappedKey })
  const input = bare ? null : await cipher.read(runPlace(id, 'input'), run.input)
  // a run that has begun only fails beyond its budget, which needs none of its data
  const isWithinBudget = run.resultBytes <= MAX_RUN_BYTES && run.slotBytes <= MAX_STEP_BYTES
  const isReadable = !bare && (isWithinBudget || run.stepIndex === BEFORE_FIRST_STEP)
  const place = { id, definition, index: run.stepIndex }
  const resume =
    isReadable && isRestart(run) ? await readResume(deps, cipher, { ...place, input }) : null
  const at = resume === null ? place : { ...place, index: resume.index }
  return {
    ws,
    id,
    app: run.app,
    deploymentId: run.deploymentId,
    pinned,
    cipher,
    createdBy: run.createdBy,
    permissionedAs: run.permissionedAs,
    triggerKind: run.triggerKind,
    chainDepth: run.chainDepth,
    holdsAppsWrite: run.holdsAppsWrite,
    priority: run.priority,
    tag: run.tag,
    parent:
      run.parentRunId === null || run.parentIndex === null
        ? null
        : { runId: run.parentRunId, index: run.parentIndex, slot: run.parentSlot },
    depth: run.depth,
    isBoundToJob: run.canceledWith !== null,
    version: run.version,
    origin: { trigger: run.trigger, restartedFrom: run.restartedFrom, concurrency: null },
    state: {
      ...newRun(definition, input, pinned.unwinding),
      status: run.status,
      index: run.stepIndex,
      results: isReadable ? await readResults(deps, cipher, at) : new Map(),
      resumeValue: isReadable ? await readResumeValue(deps, cipher, at) : null,
      bytes: run.resultBytes,
      step: await readOpenStep(deps, cipher, {
        ...loaded,
        ...place,
        input,
        ending: children.length,
        isReadable,
      }),
      ending:
        run.failure === null ? null : toEnding(cipher.open(runPlace(id, 'failure'), run.failure)),
      undoable: isReadable ? await findUndoable(deps, at) : [],
      awaitsRoom: run.awaitsRoom,
      ...(resume === null ? {} : { resume }),
    },
    cancelReason: run.cancelReason,
    wait: 'kept',
    remindMs: 'kept',
    sealedResult: null,
    stored: {
      inputs: new Map(children.map(({ slot, input }) => [slot, input])),
      next: loaded.nextSlots,
      frame: loaded.frame,
    },
  }
}

/** Lists the steps to undo. Reads nothing for a flow without undo. */
const findUndoable = async (
  { db }: FlowDeps,
  { id, definition, index }: Position,
): Promise<readonly number[]> => {
  const { steps } = definition
  if (!steps.some(({ undo }) => undo !== undefined)) return []
  const done = await listDoneSteps(db, { runId: id, steps: steps.length })
  return done.filter((at) => isUndoable(definition, at) && isLeft(definition, at, index))
}

type Position = Readonly<{ id: string; definition: FlowDefinition; index: number }>

const readResults = async (
  { db }: FlowDeps,
  cipher: FlowCipher,
  { id, definition, index }: Position,
): Promise<Map<string, JsonValue>> => {
  const keys = stepsNeededFrom(definition, index)
  const pace = createPace()
  const results = new Map<string, JsonValue>()
  // one by one: several large results at once would block the event loop
  for (const wanted of keys) {
    for (const { key, index: at, result } of await listStepResults(db, {
      runId: id,
      keys: [wanted],
      steps: definition.steps.length,
    })) {
      const place = stepPlace(id, at, 'result')
      results.set(key, result === null ? null : await cipher.read(place, result))
      await pace(result?.length ?? 0)
    }
  }
  return results
}

/** Finds the result that the step takes if it has no input of its own; null for the start input [flows 3.1]. */
const findPrevious = ({ db }: FlowDeps, { id, definition, index }: Position) => {
  const keys = definition.steps
    .slice(0, index)
    .filter((step) => !passesOver(step))
    .map(({ key }) => key)
  return findLastResult(db, { runId: id, steps: index, keys })
}

/** Reads the form values that each child of the step after an approval gets. */
const readResumeValue = async (
  deps: FlowDeps,
  cipher: FlowCipher,
  at: Position,
): Promise<JsonValue> => {
  const { id, definition, index } = at
  if (!mayFollowApproval(definition, index)) return null
  const last = await findPrevious(deps, at)
  const step = definition.steps[last?.index ?? index]
  if (last === null || step === undefined || !asksPeople(step)) return null
  return formValuesOf(step, await cipher.read(stepPlace(id, last.index, 'result'), last.result))
}

/** Whether the run has not begun, and keeps steps of an earlier run. */
const isRestart = ({ stepIndex, restartedFrom }: FlowRun): boolean =>
  stepIndex === BEFORE_FIRST_STEP && restartedFrom !== null

/** Finds where a restarted run starts: after the last step that it keeps. */
const readResume = async (
  deps: FlowDeps,
  cipher: FlowCipher,
  { input, ...place }: Position & Readonly<{ input: JsonValue }>,
): Promise<ResumePoint> => {
  const { id } = place
  const kept = await listStepStatuses(deps.db, id)
  const index = kept.length
  const last = await findPrevious(deps, { ...place, index })
  if (last === null) return { index, previous: input }
  return { index, previous: await cipher.read(stepPlace(id, last.index, 'result'), last.result) }
}

/** Reads the input of the next step, if the step's own result is passed over [flows 3.1]. */
const readPrevious = async (
  deps: FlowDeps,
  cipher: FlowCipher,
  at: Position & Readonly<{ input: JsonValue }>,
): Promise<Pick<OpenStep, 'previous'>> => {
  const { id, definition, index, input } = at
  if (!passesOver(stepAt(definition, index))) return {}
  const last = await findPrevious(deps, at)
  if (last === null) return { previous: input }
  return { previous: await cipher.read(stepPlace(id, last.index, 'result'), last.result) }
}

/** @returns null if the run has not started */
const readOpenStep = async (
  deps: FlowDeps,
  cipher: FlowCipher,
  request: StepRequest & Position & Readonly<{ input: JsonValue }>,
): Promise<OpenStep | null> => {
  if (request.index === BEFORE_FIRST_STEP) return null
  return {
    ...(await readStep(deps, cipher, request)),
    ...(request.isReadable ? await readPrevious(deps, cipher, request) : {}),
  }
}

type StepRequest = LoadedRun &
  Readonly<{ definition: FlowDefinition; ending: number; isReadable: boolean }>

/** Reads the current step. Results of its children are read only when the last child ends. */
const readStep = async (
  { db }: FlowDeps,
  cipher: FlowCipher,
  { run, open, openRuns, nextSlots, unreadSlot, definition, ending, isReadable }: StepRequest,
): Promise<OpenStep> => {
  const { ws, id: runId, stepIndex: index } = run
  const step = stepAt(definition, index)
  const isJoined = kindOf(step).join !== undefined
  const isLast = isJoined && open + openRuns <= Math.max(ending, 1) && nextSlots.length === 0
  // a step that the run leaves has no result
  const isWhole = isLast && isReadable && run.failure === null
  return {
    status: run.status === 'waiting_approval' ? 'waiting_approval' : 'running',
    open: open + openRuns,
    runs: openRuns,
    // a child that ends as it starts is followed by another one, so the step has to know that more wait
    waiting: [...nextSlots.map(({ slot }) => slot), ...(unreadSlot === null ? [] : [unreadSlot])],
    ended: isWhole ? await readEnded(db, cipher, { ws, runId, index, step }) : new Map(),
    bytes: run.slotBytes,
    isWhole,
  }
}

type EndedRequest = Readonly<{ ws: string; runId: string; index: number; step: FlowStep }>

/** Rows that are read at once of a server. */
const RESULTS = 1_000

/** Lists how the children of a step have ended: one for each item, of its last attempt. */
const listEnded = async (
  db: FlowDeps['db'],
  { ws, runId, index, step }: EndedRequest,
): Promise<Iterable<SlotResult>> => {
  const at = { ws, runId, index }
  const readAll = (list: typeof listJobResults) =>
    readInPortions<SlotResult>(db, RESULTS, (after, limit) => list(db, { ...at, after, limit }))
  const jobs = await readAll(listJobResults)
  const runs = flowsOf(step).length > 0 ? await readAll(listSubflowResults) : []
  const last = new Map<number, SlotResult>()
  for (const each of [...jobs, ...runs]) {
    if (each.attempt >= (last.get(each.slot)?.attempt ?? 0)) last.set(each.slot, each)
  }
  return last.values()
}

/** Returns the results of children that have ended; if the step continues after failures, also their errors. */
const readEnded = async (
  db: FlowDeps['db'],
  cipher: FlowCipher,
  request: EndedRequest,
): Promise<ReadonlyMap<number, JsonValue>> => {
  const { runId, index, step } = request
  const goesOn = step.continueOnError === true
  const pace = createPace()
  const ended = new Map<number, JsonValue>()
  for (const { slot, isSuccess, text, runId: subflow } of await listEnded(db, request)) {
    if (!isSuccess && !goesOn) continue
    const place =
      subflow === null
        ? slotPlace({ runId, index, slot }, 'result')
        : runPlace(subflow, isSuccess ? 'result' : 'error')
    const value = isSealed(text) ? await cipher.read(place, text) : await parseJson(text)
    if (!goesOn) ended.set(slot, value)
    else ended.set(slot, isSuccess ? doneItem(value) : failedItem(toError(value)))
    await pace(text.length)
  }
  if (!goesOn) return ended
  const refused = await readInPortions<RefusedSlot>(db, RESULTS, (after, limit) =>
    listRefusedSlots(db, { runId, index, after, limit }),
  )
  for (const { slot, error } of refused) {
    const opened = cipher.open(slotPlace({ runId, index, slot }, 'error'), error)
    ended.set(slot, failedItem(toError(opened)))
    await pace(error.length)
  }
  return ended
}
