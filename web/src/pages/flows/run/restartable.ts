/** From which steps a run that is over may be taken up again (docs/flows.md: restart): all before have ended well and were not undone. Pure. */
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
