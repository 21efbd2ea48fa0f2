/**
 * An action's `inputSchema` (JSON Schema 2020-12). The server runs it, although both the schema and the input are untrusted. So
 * it is checked at deploy, interpreted instead of compiled to code, and bounded in time.
 */
import type { ErrorDetail } from './error.ts'
import type { JsonValue } from './json.ts'
import { type CheckResult, checkSchema, type SchemaFault } from './json-schema/check-schema.ts'
import { evaluate } from './json-schema/evaluate.ts'
import { EnoughFaults, type Faults, type Run, TooManySteps, toDetails } from './json-schema/run.ts'

export type InputCheck = (input: JsonValue) => readonly ErrorDetail[]

const MAX_DETAILS = 20
/** About 200 ms at worst; an input of a megabyte needs a tenth of it. */
const MAX_STEPS = 4_000_000

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
  if (schema === null) return null
  const checked = checkSchema(schema)
  if (!checked.ok) return () => [unusable(checked)]
  return (input) => {
    const faults: Faults = []
    const run: Run = { schema: checked.schema, faults, maxFaults: MAX_DETAILS, steps, depth: 0 }
    try {
      evaluate(run, checked.schema.root, { value: input, path: [], faults })
    } catch (error) {
      if (error instanceof TooManySteps) return [TOO_MUCH]
      if (!(error instanceof EnoughFaults)) throw error
    }
    return toDetails(faults, MAX_DETAILS)
  }
}

/** Builds the fault of a schema that an earlier version accepted. The app must be deployed again. */
const unusable = ({ faults }: Extract<CheckResult, { ok: false }>): ErrorDetail => ({
  path: 'inputSchema',
  message: `The inputSchema of the action cannot be used: ${faults[0]?.path.join('.')} ${faults[0]?.message}.`,
})
