/**
 * An action's `inputSchema` (JSON Schema 2020-12). The server runs it, although both the schema and the input are untrusted. So
 * it is checked at deploy, interpreted instead of compiled to code, and bounded in time.
 */
import type { ErrorDetail } from '../error.ts'
import type { JsonValue } from '../json/value.ts'
import { type CheckResult, checkSchema, type SchemaFault } from '../json-schema/check-schema.ts'
import { evaluate } from '../json-schema/evaluate.ts'
import { EnoughFaults, type Faults, type Run, TooManySteps, toDetails } from '../json-schema/run.ts'

export type InputCheck = (input: JsonValue) => readonly ErrorDetail[]

/** A check for the main thread of a server. Another thread repeats those that it gives up. */
export type QuickCheck = Readonly<{
  schema: JsonValue
  /** @returns `faults`: null if the check takes longer than a few milliseconds */
  run: (input: JsonValue) => Readonly<{ faults: readonly ErrorDetail[] | null; steps: number }>
}>

const MAX_DETAILS = 20
/** Up to 0.5 s; an input of a megabyte needs a tenth of it. */
const MAX_STEPS = 4_000_000
/** Up to 15 ms. */
const QUICK_STEPS = 100_000

const TOO_MUCH: ErrorDetail = {
  path: 'input',
  message:
    'The input takes too long to check against the inputSchema of the action. Send a smaller input.',
}

/** Returns why a schema cannot be used; empty if it can. */
export const findSchemaFaults = (schema: JsonValue): readonly SchemaFault[] => {
  const checked = checkSchema(schema)
  return checked.ok ? [] : checked.faults
}

/**
 * Creates a check that returns every fault of an input, none if it fits.
 * @param schema as a deployment stores it; null for none
 * @param steps after which the check gives up
 */
export const inputCheck = (schema: JsonValue, steps: number = MAX_STEPS): InputCheck | null => {
  const run = runnerOf(schema, steps)
  return run === null ? null : (input) => run(input).faults ?? [TOO_MUCH]
}

/** Like `inputCheck`, but gives up after a few milliseconds. */
export const quickCheck = (schema: JsonValue): QuickCheck | null => {
  const run = runnerOf(schema, QUICK_STEPS)
  return run === null ? null : { schema, run }
}

const runnerOf = (schema: JsonValue, budget: number): QuickCheck['run'] | null => {
  if (schema === null) return null
  const checked = checkSchema(schema)
  if (!checked.ok) return () => ({ faults: [unusable(checked)], steps: 0 })
  return (input) => {
    const faults: Faults = []
    const run: Run = {
      schema: checked.schema,
      faults,
      maxFaults: MAX_DETAILS,
      steps: budget,
      depth: 0,
    }
    try {
      evaluate(run, checked.schema.root, { value: input, path: [], faults })
    } catch (error) {
      if (error instanceof TooManySteps) return { faults: null, steps: budget }
      if (!(error instanceof EnoughFaults)) throw error
    }
    return { faults: toDetails(faults, MAX_DETAILS), steps: budget - run.steps }
  }
}

/** Builds the fault of a schema that an earlier version accepted. The app must be deployed again. */
const unusable = ({ faults }: Extract<CheckResult, { ok: false }>): ErrorDetail => ({
  path: 'inputSchema',
  message: `The inputSchema of the action cannot be used: ${faults[0]?.path.join('.')} ${faults[0]?.message}.`,
})
