/** How the column `failure` of a run stores why the run ends. */
import type { Ending } from '#core/flow/run-state.ts'
import type { JobError } from '#core/job/job-error.ts'
import { isJsonObject, type JsonValue } from '#core/json/value.ts'

/** Reads the error of a failed job from its stored result; fields that are missing get defaults. */
export const toError = (value: JsonValue): JobError => {
  const { name, message } = isJsonObject(value) ? value : {}
  return { name: String(name ?? 'Error'), message: String(message ?? '') }
}

/** Converts the `Ending` of core to the column `failure`. */
export const endingJson = ({ status, error, failedStep }: Ending): JsonValue => ({
  ...error,
  status,
  failed_step: failedStep,
})

/** Reads the column `failure`. An svc without undo stored only the error. */
export const toEnding = (value: JsonValue): Ending => {
  const { status, failed_step: failedStep } = isJsonObject(value) ? value : {}
  return {
    status: status === 'canceled' ? 'canceled' : 'failed',
    error: toError(value),
    failedStep: typeof failedStep === 'string' ? failedStep : null,
  }
}
