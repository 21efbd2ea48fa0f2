/** Flags that answer the approval steps of a local run. */
import { createLocalApprovals, type LocalApprovals } from '#project/local-approvals.ts'
import type { LocalWaits } from '#project/local-waits.ts'
import { textOption } from './command-arguments.ts'
import { readInput, valuesOf } from './input.ts'

/** `--approve` and `--reject`. */
export const answerOptions = {
  approve: textOption('Approve the next approval step with this JSON object (repeatable)'),
  reject: {
    type: 'string',
    describe: 'Reject the approval step after those of --approve, with this reason',
  },
} as const

/**
 * Reads the answers to the approval steps of all flows of the command, in the order in which the steps need them.
 * @throws {UsageError} an answer is not a JSON object
 */
export const openLocalApprovals = async (
  flags: Readonly<Record<string, unknown>>,
  { skipsTime }: Pick<LocalWaits, 'skipsTime'>,
): Promise<LocalApprovals> => {
  const answers = await Promise.all(
    valuesOf(flags.approve).map((each) => readInput(each, 'approve')),
  )
  const rejection = flags.reject === undefined ? null : String(flags.reject)
  return createLocalApprovals(answers, rejection, skipsTime)
}
