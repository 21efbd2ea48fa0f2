/** What a kind of step is. Each kind is one value in a file of its own; kinds.ts is the record of them. */
import type { z } from 'zod'
import type { JobError } from '../../job/job-error.ts'
import type { JobStatus } from '../../job/transitions.ts'
import type { JsonObject, JsonValue } from '../../json/value.ts'
import type { Fault } from '../../manifest/fault.ts'
import { checkTarget } from '../../manifest/targets.ts'
import type { FlowData } from '../data.ts'
import type { COMMON_FIELDS } from '../fields.ts'
import type { FlowEvent, Slot, StepStatus, Wait } from '../run.ts'

type Shape = Readonly<Record<string, z.ZodType>>
type Values<Fields extends Shape> = {
  readonly [Name in keyof Fields]?: z.output<Fields[Name]> | undefined
}

/** A step as its kind sees it: each field of the kind may be missing, since all kinds share one schema. */
export type StepOf<Fields extends Shape> = Readonly<{ key: string }> &
  Values<typeof COMMON_FIELDS> &
  Values<Fields>

/** The manifest that a step belongs to, as far as the checks of a step need it. */
export type CheckedApp = Readonly<{
  actions: ReadonlySet<string>
  flows: ReadonlySet<string>
  /** Whether a flow of the manifest has a step that waits for people. */
  asksPeople: (flow: string) => boolean
}>

export type StepData = FlowData &
  Readonly<{
    /** The result of the last step before that was not skipped; for the first step, the start input [flows 3.1]. */
    previous: JsonValue
  }>

/** What a step requests when a run gets to it. */
export type Opening =
  /** The first `start` slots begin at once. `frame`: what the inputs of a loop's items have in common. */
  | Readonly<{ kind: 'slots'; slots: readonly Slot[]; start: number; frame?: JsonObject }>
  /** An event from outside ends the step. Its only children are reminders. */
  | (Readonly<{ kind: 'wait' }> & Wait)
  /** The step ends at once. */
  | Readonly<{ kind: 'done'; result: JsonValue }>
  | Readonly<{ kind: 'skip' }>
  | Readonly<{ kind: 'fail'; error: JobError }>
  /** The opening takes long. `next` computes its next part; it may be called once. */
  | Readonly<{ kind: 'unfinished'; next: () => Opening }>

/** How a step that waited ends. */
export type WaitEnd =
  | Readonly<{ status: 'success'; result: JsonValue }>
  | Readonly<{ status: 'rejected' | 'timed_out'; error: JobError }>

/** The status of an arm. `skipped`: the run took another arm. */
export type ArmState = Readonly<{ key: string; status: StepStatus }>

export type BranchState = Readonly<{
  status: StepStatus
  /** The status of the last attempt of each slot. */
  jobs: ReadonlyMap<number, JobStatus>
  /** The data that the step got when the run came to it: the results of the steps before. */
  data: FlowData
  /** The result of a step that succeeded and continues after failures, if one of its arms has no job; else null. */
  result: JsonValue
}>

export type StepKind<Name extends string, Fields extends Shape> = Readonly<{
  /** As `kind` names it in the manifest. */
  name: Name
  /**
   * Its fields in addition to the common ones. A deploy refuses steps of other kinds that have one, and steps
   * that lack a required one.
   */
  fields: Fields
  /** One sentence for each field, by its path below the step; `[]` is an item of a list. Editors and docs/manifest.md show them. */
  descriptions: Readonly<Record<string, string>>
  /** Checks at deploy, by field. Paths are relative to the step. */
  checks?: { readonly [Name in keyof Fields]?: StepCheck<Fields> }
  /** Checks at deploy of several fields of a step of this kind together. Paths are relative to the step. */
  check?: (step: StepOf<Fields>) => readonly Fault[]
  /** The actions and flows that its children run; empty for a kind that only waits. */
  targets: (step: StepOf<Fields>) => readonly Slot['target'][]
  /** The target of a slot that begins later or is retried. Absent: the first of `targets`. */
  targetOf?: (step: StepOf<Fields>, slot: number, data: FlowData) => Slot['target'] | undefined
  open: (step: StepOf<Fields>, data: StepData) => Opening
  /** Computes the step's result from those of its slots. Absent for a step with one slot, whose result it takes. */
  join?: (step: StepOf<Fields>, results: ReadonlyMap<number, JsonValue>) => JsonValue
  /** How many slots may be under way. @default 1 */
  atOnce?: (step: StepOf<Fields>) => number
  /** How an event ends a step that waits; null if the step does not wait for it. */
  resume?: (step: StepOf<Fields>, event: FlowEvent) => WaitEnd | null
  /** Whether it waits for people. A subflow may not contain it. */
  asksPeople?: boolean
  /** Returns what people filled in, from the step's result, for the action of the next step. */
  formValues?: (step: StepOf<Fields>, result: JsonValue) => JsonValue
  /** How often it reminds people, in milliseconds; null for never. */
  remindMs?: (step: StepOf<Fields>) => number | null
  /** Whether its result is passed over, so that the next step takes the result of the one before. @default false */
  passesOver?: boolean
  /** Whether the step's own `retry` applies [flows 1.2]. */
  retries: boolean
  /** Conditions and templates that may name results of earlier steps, in addition to `skipIf`, `stopAfterIf` and `input`. */
  references?: (step: StepOf<Fields>) => References
  /** What the step's `input` may name besides `input` and `results`. @default nothing */
  inputRoots?: readonly string[]
  /** The only fields that its result can have. @default any */
  resultFields?: (step: StepOf<Fields>) => readonly string[]
  /** Fields that its result lacks in some runs. @default none */
  optionalFields?: (step: StepOf<Fields>) => readonly string[]
  /** The only values that some of these fields can have. @default any */
  fieldValues?: (step: StepOf<Fields>) => Readonly<Record<string, readonly (string | boolean)[]>>
  /** What is allowed but cannot have the effect that it names. A deploy warns of it. */
  doubts?: (step: StepOf<Fields>) => readonly Fault[]
  /** How a kind with `branches` chooses among them. */
  arms?: Readonly<{
    /** The label of an arm without a condition in the graph. */
    otherwise: string | null
    states: (step: StepOf<Fields>, state: BranchState) => readonly ArmState[]
  }>
  /** The brackets of its node in mermaid. */
  shape: readonly [open: string, close: string]
}>

export type StepCheck<Fields extends Shape> = (
  step: StepOf<Fields>,
  app: CheckedApp,
) => readonly Fault[]

export type References = Readonly<{
  conditions?: readonly (string | undefined)[]
  templates?: readonly (JsonValue | undefined)[]
}>

/** Types a kind by its name and fields. */
export const stepKind = <const Name extends string, Fields extends Shape>(
  kind: StepKind<Name, Fields>,
): StepKind<Name, Fields> => kind

/** Returns the target of a kind that has one. A definition that was not checked may lack it. */
export const targetIn = (
  kind: Slot['target']['kind'],
  key: string | undefined,
): readonly Slot['target'][] => (key === undefined ? [] : [{ kind, key }])

/** Checks that a loop or an arm names either an action or a flow. @param path of the step or arm */
export const checkOneTarget = (
  { action, subflow }: Readonly<{ action?: string | undefined; subflow?: string | undefined }>,
  path: Fault['path'],
): readonly Fault[] => {
  if (action === undefined && subflow === undefined) {
    return [{ path, message: 'needs `action` or `subflow`' }]
  }
  return action !== undefined && subflow !== undefined
    ? [{ path: [...path, 'subflow'], message: 'leave it out, or leave out `action`' }]
    : []
}

/** @param path of the field that names the action, from the step on */
export const checkAction = (
  action: string | undefined,
  path: Fault['path'],
  { actions }: Pick<CheckedApp, 'actions'>,
): readonly Fault[] =>
  action === undefined ? [] : checkTarget({ kind: 'action', key: action }, path, actions)
