/** Fields that all steps which wait share. */
import type { z } from 'zod'
import { limit } from '../../limit.ts'
import type { Fault } from '../../manifest/fault.ts'
import { oneOf, wholeSeconds } from '../../manifest/fields.ts'

/** [flows 12.1] */
export const MAX_WAIT_S = limit(
  'flow.wait',
  31_622_400,
  's',
  'A sleep, and `timeoutS` of an approval or event.',
)

export const timeoutS = wholeSeconds(1, MAX_WAIT_S).optional()

/** `continue`: the run continues, and the result shows what happened. */
export const failOrContinue = oneOf(['fail', 'continue']).optional()

type Policies = Readonly<{
  timeoutS?: z.output<typeof timeoutS>
  onTimeout?: z.output<typeof failOrContinue>
}>

/** Finds a policy for a time that never comes. */
export const findEndlessWait = ({ timeoutS, onTimeout }: Policies): readonly Fault[] =>
  onTimeout === 'continue' && timeoutS === undefined
    ? [
        {
          path: [],
          message: '`onTimeout` has no effect without `timeoutS`: the step waits without end',
        },
      ]
    : []
