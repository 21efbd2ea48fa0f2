/** The record of step kinds. Everything that is specific to a kind is in the kind's own file. */
import type { z } from 'zod'
import { mapping, oneOf } from '../manifest/fields.ts'
import type { FlowData } from './data.ts'
import { COMMON_FIELDS } from './fields.ts'
import { action } from './kinds/action.ts'
import { approval } from './kinds/approval.ts'
import { branchall } from './kinds/branchall.ts'
import { branchone } from './kinds/branchone.ts'
import { event } from './kinds/event.ts'
import { forloop } from './kinds/forloop.ts'
import { forloopParallel } from './kinds/forloop-parallel.ts'
import { atOnceFields } from './kinds/loop.ts'
import { sleep } from './kinds/sleep.ts'
import { subflow } from './kinds/subflow.ts'
import type { Slot } from './run.ts'

const KINDS = {
  [action.name]: action,
  [approval.name]: approval,
  [branchone.name]: branchone,
  [branchall.name]: branchall,
  [forloop.name]: forloop,
  [forloopParallel.name]: forloopParallel,
  [subflow.name]: subflow,
  [sleep.name]: sleep,
  [event.name]: event,
}

export type StepKindName = keyof typeof KINDS

/** The kind of a step that names none. */
export const DEFAULT_KIND = action.name

/** Fields of all kinds in one schema; check.ts decides which of them a step may have. */
const KIND_FIELDS = mapping({
  ...action.fields,
  ...approval.fields,
  ...branchone.fields,
  ...branchall.fields,
  ...forloop.fields,
  ...forloopParallel.fields,
  ...atOnceFields,
  ...subflow.fields,
  ...sleep.fields,
  ...event.fields,
}).partial().shape

export const stepSchema = mapping(
  {
    ...COMMON_FIELDS,
    kind: oneOf(Object.values(KINDS).map(({ name }) => name)).default(DEFAULT_KIND),
    ...KIND_FIELDS,
  },
  '{ key: price, action: price }',
)

export type FlowStep = Readonly<z.infer<typeof stepSchema>>

export type AnyStepKind = (typeof KINDS)[StepKindName]

export const kindOf = ({ kind }: Pick<FlowStep, 'kind'>): AnyStepKind => KINDS[kind]

/** Sentences for the fields of every kind, by path below a step. */
export const KIND_DESCRIPTIONS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(KINDS).map(({ descriptions }) => descriptions),
)

/** Every kind, in the order of the reference. */
export const listKinds = (): readonly AnyStepKind[] => Object.values(KINDS)

/** Whether the step waits for people [flows 9]. */
export const asksPeople = (step: FlowStep): boolean => kindOf(step).asksPeople ?? false

/** Whether an event from outside ends the step, instead of a child. */
export const isWait = (step: FlowStep): boolean => kindOf(step).resume !== undefined

/** Whether the next step takes the result of the step before this one [flows 3.1]. */
export const passesOver = (step: FlowStep): boolean => kindOf(step).passesOver ?? false

/** The flows of the app that the step starts as separate runs. */
export const flowsOf = (step: FlowStep): readonly string[] =>
  kindOf(step)
    .targets(step)
    .flatMap(({ kind, key }) => (kind === 'flow' ? [key] : []))

/** Returns what a slot runs that begins later or is retried; null if the step starts no child. */
export const targetAt = (step: FlowStep, slot: number, data: FlowData): Slot['target'] | null => {
  const kind = kindOf(step)
  const target =
    kind.targetOf === undefined ? kind.targets(step)[0] : kind.targetOf(step, slot, data)
  return target ?? null
}
