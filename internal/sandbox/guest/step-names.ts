/** The names of the steps that one attempt meets, in the order of its calls [durable 1.2]. */
import { MAX_STEPS } from '#core/durable/limits.ts'
import { readStepName } from '#core/durable/options.ts'
import type { StepKind } from '#core/durable/step.ts'
import type { JournalReader, Place } from './journal.ts'

/** Writes the stack of a call. The engine formats a stack only when it is read, which takes longer than a recorded step. */
export type Frame = () => string

export type StepNames = Readonly<{
  /** Takes the next position for a name. @throws {Error} NestedStep, DuplicateStep, TooManySteps */
  meet: (given: unknown) => Place
  /** Notes a new step at the position where a different step was recorded. @param frame the caller's stack */
  compare: (place: Place, frame: Frame) => void
  /** Warns if that other step has not come by the end of the attempt [durable 1.7]. */
  finish: () => void
}>

type Suspect = Place & Readonly<{ before: string; frame: Frame }>

/** An error with a name by which scripts catch it. */
export const named = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name })

/** The error for a recorded name that comes with another kind. */
export const stepMismatch = (name: string, kind: StepKind, recorded: StepKind): Error =>
  named(
    'StepMismatch',
    `"${name}" is a ${kind} now and was recorded as a ${recorded}. A name stays with its kind for the life of a job.`,
  )

/** @param outer the name of the step whose function is running, or undefined */
export const createStepNames = (
  journal: JournalReader,
  { outer, warn }: Readonly<{ outer: () => string | undefined; warn: (text: string) => void }>,
): StepNames => {
  const seen = new Set<string>()
  let positions = 0
  let suspect: Suspect | null = null

  return {
    meet: (given) => {
      const name = readStepName(given)
      const within = outer()
      if (within !== undefined) {
        throw named(
          'NestedStep',
          `"${name}" is inside of step "${within}". Call durable steps one after another; the function of a step is plain code.`,
        )
      }
      if (seen.has(name)) {
        throw named(
          'DuplicateStep',
          `This run has met a step "${name}" already. Give each step a name of its own, for example with the number of the loop.`,
        )
      }
      if (positions >= MAX_STEPS) {
        throw named(
          'TooManySteps',
          `A job has at most ${MAX_STEPS} durable steps. Split the work over several jobs.`,
        )
      }
      seen.add(name)
      positions += 1
      return { name, position: positions }
    },
    compare: ({ name, position }, frame) => {
      const before = journal.nameAt(position)
      if (before !== undefined && before !== name) suspect ??= { before, name, position, frame }
    },
    finish: () => {
      if (suspect === null || seen.has(suspect.before)) return
      const { before, name, position, frame } = suspect
      warn(
        `Warning: durable step ${position} was "${before}" in an earlier run of this job and is "${name}" now. ` +
          `Code between steps must take the same way each time.\n${frame()}`,
      )
    },
  }
}
