/** One check of one value, with its budget and its faults. */
import type { ErrorDetail } from '../error.ts'
import type { JsonValue } from '../json/value.ts'
import type { CheckedSchema } from './schema.ts'

/** The state of a check. A step takes about 50 ns. */
export type Run = {
  readonly schema: CheckedSchema
  /** Faults of the whole value. The run ends when there are `maxFaults` of them. */
  readonly faults: Faults
  readonly maxFaults: number
  steps: number
  depth: number
}

/** The budget of steps is used up. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

/** The run has found as many faults as it reports, so it does not check the rest of the value. */
export class EnoughFaults extends Error {
  override readonly name = 'EnoughFaults'
}

export const spend = (run: Run, steps: number): void => {
  run.steps -= steps
  if (run.steps < 0) throw new TooManySteps('The check of an input took too many steps.')
}

export type Path = readonly PropertyKey[]

/** Collects faults; a branch that may fail has its own list. */
export type Faults = { path: Path; message: string }[]

export type At = Readonly<{ value: JsonValue; path: Path; faults: Faults }>

/** At worst, each instruction reads each character. */
export const patternSteps = (text: string, size: number): number => 1 + (text.length * size) / 16

const STEPS_PER_FAULT = 5

/** Adds a fault. @throws {TooManySteps} or {EnoughFaults}, which end the run */
export const addFault = (run: Run, { path, faults }: At, message: string): void => {
  spend(run, STEPS_PER_FAULT)
  faults.push({ path, message })
  if (faults === run.faults && faults.length >= run.maxFaults) {
    throw new EnoughFaults('The check of an input found enough faults.')
  }
}

/** For example `1 item` and `2 items`. */
export const counted = (count: JsonValue | undefined, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

export const toDetails = (faults: Faults, limit: number): readonly ErrorDetail[] =>
  faults.slice(0, limit).map(({ path, message }) => ({
    path: path.map(String).join('.') || 'input',
    message: `${message}.`,
  }))
