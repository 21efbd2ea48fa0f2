/**
 * The steps from which an ended run may be restarted (docs/flows.md: restart): all
 * steps before must have succeeded and not been undone. Pure.
 */
import { isOnFailure } from '../../../flow/step-kinds.ts'
import { undoneStep } from '../../../flow/undo-key.ts'

type Step = Readonly<{ key: string; kind: string; status: string }>

export const restartableSteps = (steps: readonly Step[]): readonly string[] => {
  const own = steps.filter(({ kind }) => !isOnFailure(kind))
  const undone = new Set(
    steps.filter(({ kind }) => kind === 'undo').map(({ key }) => undoneStep(key)),
  )
  const stopped = own.findIndex(
    ({ key, status }) => (status !== 'success' && status !== 'skipped') || undone.has(key),
  )
  const reached = stopped === -1 ? own : own.slice(0, stopped + 1)
  return reached.map(({ key }) => key)
}
