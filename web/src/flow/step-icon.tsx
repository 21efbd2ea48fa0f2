/** What kind of step it is, as a sign. */
import {
  GitFork,
  Layers,
  type LucideIcon,
  Repeat,
  ShieldAlert,
  Split,
  SquareTerminal,
  UserCheck,
  Workflow,
} from 'lucide-react'
import type { StepKind } from './definition.ts'

const ICONS: Readonly<Record<StepKind | 'arm', LucideIcon>> = {
  action: SquareTerminal,
  approval: UserCheck,
  branchone: Split,
  branchall: GitFork,
  forloop: Repeat,
  forloop_parallel: Layers,
  subflow: Workflow,
  failure_module: ShieldAlert,
  arm: SquareTerminal,
}

export const StepIcon = ({ kind }: Readonly<{ kind: StepKind | 'arm' }>) => {
  const Icon = ICONS[kind]
  return <Icon size={15} aria-hidden="true" />
}
