/** Fields that several kinds of steps have [flows 1.2]. */
import { z } from 'zod'
import { key, mapping, retry, yesOrNo } from '../manifest/fields.ts'

/** An arm of a branch without a condition is the default arm. The grammar is checked when the run evaluates it [flows 1.4]. */
export const condition = z
  .string('must be a condition')
  .max(2_048, 'must have at most 2048 characters')

export const json = z.json()

/** The action that undoes the step if the run fails or is canceled later [flows 15]. */
const undo = mapping(
  { action: key, input: json.optional(), retry: retry.optional() },
  '{ action: refund }',
)

/** Whether a loop or branchall continues after a failure [flows 2.11]. */
export const continueOnError = yesOrNo.optional()

/** Fields that a step of any kind may have. */
export const COMMON_FIELDS = {
  key,
  input: json.optional(),
  skipIf: condition.optional(),
  stopAfterIf: condition.optional(),
  retry: retry.optional(),
  undo: undo.optional(),
}
