/** The icon of a kind of step. */
import { DEFAULT_KIND, STEP_KINDS, type StepKind } from './step-kinds.ts'

export const StepIcon = ({ kind }: Readonly<{ kind: StepKind | 'arm' }>) => {
  const { icon: Icon } = STEP_KINDS[kind === 'arm' ? DEFAULT_KIND : kind]
  return <Icon size={15} aria-hidden="true" />
}
