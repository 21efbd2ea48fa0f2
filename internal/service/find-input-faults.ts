/** Checks inputs against schemas, without blocking the server. */

import type { QuickCheck } from '#core/action/input-schema.ts'
import { type ErrorDetail, invalid } from '#core/error.ts'
import { createFairTurns } from '#core/fairness/turns.ts'
import { jsonOf } from '#core/json/kept-text.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Deps } from './deps.ts'
import { createPace } from './portions/pace.ts'

/** Characters that take as long to process as one step of a check. */
const CHARACTERS_PER_STEP = 10

const pace = createPace()
const turns = createFairTurns()

/** Runs a check when the ones before it left a turn to others. Requests that arrive at once would check in one stretch. */
const runInTurn = (
  ws: string,
  check: QuickCheck,
  input: JsonValue,
): Promise<ReturnType<QuickCheck['run']>> =>
  turns(ws, async () => {
    const result = check.run(input)
    await pace(result.steps * CHARACTERS_PER_STEP)
    return result
  })

export type CheckedInput = Readonly<{
  ws: string
  input: JsonValue
  /** Whether the caller cannot ask again, so that the check waits although too many do. @default false */
  mustWait?: boolean
}>

/**
 * Returns every fault of an input, none if it fits: at once if the check is short, as most are, or else from a thread.
 * @param check null for no schema
 * @throws {AppError} unavailable: too many checks wait, or the thread failed
 */
export const findInputFaults = async (
  { manifests }: Pick<Deps, 'manifests'>,
  check: QuickCheck | null,
  { ws, input, mustWait = false }: CheckedInput,
): Promise<readonly ErrorDetail[]> => {
  if (check === null) return []
  const { faults } = await runInTurn(ws, check, input)
  return faults ?? manifests.checkInput(ws, check.schema, jsonOf(input), mustWait)
}

type TargetInput = Readonly<{ ws: string; app: string; target: string; input: JsonValue }>

/** Refuses an input that does not fit the schema of its action or flow. @throws {AppError} invalid `input_schema`; unavailable */
export const requireFittingInput = async (
  deps: Pick<Deps, 'manifests'>,
  check: QuickCheck | null,
  { ws, app, target, input }: TargetInput,
): Promise<void> => {
  const details = await findInputFaults(deps, check, { ws, input })
  if (details.length === 0) return
  throw invalid(`The input does not fit the schema of ${app}/${target}.`, {
    code: 'input_schema',
    details,
  })
}

/** Whether an input fits, for an end of a job, which waits for no thread. A check that takes too long counts as a fault. */
export const fitsQuickly = async (
  check: QuickCheck | null,
  { ws, input }: Pick<CheckedInput, 'ws' | 'input'>,
): Promise<boolean> => {
  if (check === null) return true
  const { faults } = await runInTurn(ws, check, input)
  return faults?.length === 0
}
