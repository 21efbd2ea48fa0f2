/**
 * Everything that the console knows about each kind of step, in one row per kind (docs/checklists/new-step-kind.md). If the
 * API adds a kind, the code does not compile without its row.
 */
import {
  Clock,
  GitFork,
  Layers,
  type LucideIcon,
  Repeat,
  ShieldAlert,
  Split,
  SquareTerminal,
  Undo2,
  UserCheck,
  Workflow,
  Zap,
} from 'lucide-react'
import type { Schemas } from '#sdk/client.ts'
import { useLanguage } from '../language/language.ts'
import { undoneStep } from './undo-key.ts'

/** `undo` and `failure_module` come after the last step. */
export type StepKind = Schemas['FlowRunDetail']['steps'][number]['kind']

type Row = Readonly<{
  icon: LucideIcon
  word: Readonly<{ en: string; ko: string }>
  /** Whether the graph shows it without its word. @default false */
  isPlain?: boolean
  /** Whether its input defaults to the result of the step before. @default false */
  takesInput?: boolean
  /** Whether it takes only one of its arms. @default false */
  choosesArm?: boolean
  /** Whether it runs once for each item. @default false */
  isLoop?: boolean
  /** Whether it waits for people. @default false */
  asksPeople?: boolean
  /** Whether it waits for a time or an event. @default false */
  waits?: boolean
  /** Whether it starts without waiting for a worker. @default false */
  startsAtOnce?: boolean
}>

export const STEP_KINDS: Readonly<Record<StepKind, Row>> = {
  action: {
    icon: SquareTerminal,
    word: { en: 'Action', ko: '액션' },
    isPlain: true,
    takesInput: true,
  },
  approval: { icon: UserCheck, word: { en: 'Approval', ko: '승인' }, asksPeople: true },
  branchone: {
    icon: Split,
    word: { en: 'Conditional branch', ko: '조건 분기' },
    choosesArm: true,
  },
  branchall: { icon: GitFork, word: { en: 'Parallel branches', ko: '병렬 분기' } },
  forloop: { icon: Repeat, word: { en: 'Loop', ko: '반복' }, takesInput: true, isLoop: true },
  forloop_parallel: {
    icon: Layers,
    word: { en: 'Parallel loop', ko: '병렬 반복' },
    takesInput: true,
    isLoop: true,
  },
  subflow: {
    icon: Workflow,
    word: { en: 'Subflow', ko: '하위 플로우' },
    takesInput: true,
    startsAtOnce: true,
  },
  event: { icon: Zap, word: { en: 'Event', ko: '이벤트' }, waits: true, startsAtOnce: true },
  sleep: { icon: Clock, word: { en: 'Sleep', ko: '대기' }, waits: true, startsAtOnce: true },
  undo: { icon: Undo2, word: { en: 'Undo', ko: '되돌리기' }, takesInput: true },
  failure_module: { icon: ShieldAlert, word: { en: 'On failure', ko: '실패 시 실행' } },
}

/** The kind of a step that does not name one. */
export const DEFAULT_KIND = 'action' satisfies StepKind

export const isStepKind = (text: unknown): text is StepKind =>
  typeof text === 'string' && Object.hasOwn(STEP_KINDS, text)

/** Whether it runs only when the run fails or is canceled. */
export const isOnFailure = (kind: string): boolean => kind === 'undo' || kind === 'failure_module'

export const useStepWord = (): ((kind: StepKind) => string) => {
  const language = useLanguage()
  return (kind) => STEP_KINDS[kind].word[language]
}

/** The name of a step for readers. An undo has the name of the step that it undoes. */
export const useStepName = (): ((key: string) => string) => {
  const wordOf = useStepWord()
  return (key) => {
    const undone = undoneStep(key)
    return undone === key ? key : `${wordOf('undo')}: ${undone}`
  }
}
