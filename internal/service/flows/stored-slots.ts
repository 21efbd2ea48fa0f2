/** Inputs of a step's children as the database keeps them: of those that wait, and of those that are retried. */
import { itemInput } from '#core/flow/kinds/loop.ts'
import { stepAt } from '#core/flow/position.ts'
import type { SlotFault } from '#core/flow/run.ts'
import type { WaitingSlot } from '#core/flow/run-state.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'
import type { Statement } from '#store/database.ts'
import type { NextSlot } from '#store/flows/runs.ts'
import {
  deleteFlowSlot,
  deleteFlowSlots,
  deleteSlotRange,
  insertFlowSlots,
  insertRefusedSlots,
  listSlotSizes,
  type SlotSize,
} from '#store/flows/steps.ts'
import { weighing } from '#store/sql.ts'
import type { Deps } from '../deps.ts'
import { groupsOfSize } from '../portions/groups-of-size.ts'
import { readInPortions } from '../portions/read-portions.ts'
import { slotPlace, stepPlace } from './cipher.ts'
import { guardOf, type Plan, type PlannedRun } from './planned-run.ts'

type Waiting = Readonly<{
  index: number
  waiting: readonly WaitingSlot[]
  /** Whether the children are items of a loop. Then each keeps its item, and the step keeps what all inputs share. */
  areItems: boolean
}>

type StoredSlot = readonly [slot: number, text: string]

/** Characters of the texts of one statement. sqld takes at most 5,000,000 bytes as one parameter. */
const MOST_CHARACTERS = 1_000_000
/** A row takes as long as so many characters, so a statement of 1,000 short texts takes about 10 ms. */
const ROW_CHARACTERS = 1_000
/** The rows of one statement that take as long as a statement of one row. */
const ROWS_PER_STATEMENT = 4

/** Divides texts among statements. */
const inStatements = (
  slots: readonly StoredSlot[],
  toStatement: (part: readonly StoredSlot[]) => Statement,
): readonly Statement[] =>
  groupsOfSize(slots, ([, { length }]) => length + ROW_CHARACTERS, MOST_CHARACTERS).map((part) =>
    weighing(Math.ceil(part.length / ROWS_PER_STATEMENT), toStatement(part)),
  )

/** Keeps the inputs of children that begin later. */
export const keepWaiting = async (
  plan: Plan,
  { id: runId, cipher }: PlannedRun,
  { index, waiting, areItems }: Waiting,
): Promise<readonly Statement[]> => {
  if (waiting.length === 0) return []
  const slots: StoredSlot[] = []
  for (const { slot, what } of waiting) {
    const place = slotPlace({ runId, index, slot }, areItems ? 'item' : 'input')
    const text = cipher.seal(place, areItems ? (what.item ?? null) : what.input)
    slots.push([slot, text])
    await plan.pace(text.length)
  }
  return inStatements(slots, (part) =>
    insertFlowSlots({ runId, index, slots: part, areItems }, guardOf(plan)),
  )
}

type Refused = Readonly<{ index: number; refused: readonly SlotFault[] }>

/** Keeps the errors of children that cannot begin, until the step ends. */
export const keepRefused = async (
  plan: Plan,
  { id: runId, cipher }: PlannedRun,
  { index, refused }: Refused,
): Promise<readonly Statement[]> => {
  if (refused.length === 0) return []
  const slots: StoredSlot[] = []
  for (const { slot, error } of refused) {
    const text = cipher.seal(slotPlace({ runId, index, slot }, 'error'), { ...error })
    slots.push([slot, text])
    await plan.pace(text.length)
  }
  return inStatements(slots, (part) =>
    insertRefusedSlots({ runId, index, slots: part }, guardOf(plan)),
  )
}

/** Bytes that one statement deletes, which takes about 10 ms, and the bytes of a row that take as long as a row itself. */
const DELETED_BYTES = 1_048_576
const ROW_BYTES = 1_024
const SIZES_AT_ONCE = 1_000
/** The statements of one row that take as long. */
const DELETE_WEIGHT = 250

/** Deletes the items of a run when its step ends, in portions. @param guard true for that transition */
export const deleteSlots = async (
  { db }: Pick<Deps, 'db'>,
  { runId, index }: Readonly<{ runId: string; index: number }>,
  guard: Statement,
): Promise<readonly Statement[]> => {
  const sizes = await readInPortions<SlotSize>(db, SIZES_AT_ONCE, (after, limit) =>
    listSlotSizes(db, { runId, index, after, limit }),
  )
  const groups = groupsOfSize(sizes, ({ size }) => size + ROW_BYTES, DELETED_BYTES)
  const ranges = groups.slice(1).flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    const range = { runId, index, first: first.slot, last: last.slot }
    return [weighing(DELETE_WEIGHT, deleteSlotRange(range, guard))]
  })
  return [...ranges, deleteFlowSlots(runId, guard)]
}

/** Removes a child from those that wait. @throws {Error} its input was not read, or its item gives another input than before */
export const takeWaiting = async (
  plan: Plan,
  run: PlannedRun,
  slot: number,
): Promise<Readonly<{ input: JsonValue; statements: readonly Statement[] }>> => {
  const next = run.stored.next.find((each) => each.slot === slot)
  if (next === undefined) throw new Error(`The slot ${slot} was not read.`)
  const address = { runId: run.id, index: run.state.index, slot }
  return {
    input: await waitingInput(run, next),
    statements: [deleteFlowSlot(address, guardOf(plan))],
  }
}

const waitingInput = async (
  run: PlannedRun,
  { slot, text, isItem }: NextSlot,
): Promise<JsonValue> => {
  const { id: runId, state, cipher, stored } = run
  const { index, definition } = state
  const address = { runId, index, slot }
  if (!isItem) return cipher.read(slotPlace(address, 'input'), text)
  const place = stepPlace(runId, index, 'frame')
  const frame = stored.frame === null ? {} : await cipher.read(place, stored.frame)
  const item = { value: await cipher.read(slotPlace(address, 'item'), text), index: slot }
  const input = itemInput(stepAt(definition, index), isJsonObject(frame) ? frame : {}, item)
  if (input.error !== null) throw new Error(input.error.message)
  return input.value
}

/** Returns the input of a child that has ended. @throws {Error} it was not read */
export const endedInput = async (
  { id: runId, state, cipher, stored }: PlannedRun,
  slot: number,
): Promise<JsonValue> => {
  const sealed = stored.inputs.get(slot)
  if (sealed === undefined) throw new Error(`The input of slot ${slot} was not read.`)
  return cipher.read(slotPlace({ runId, index: state.index, slot }, 'input'), sealed)
}
