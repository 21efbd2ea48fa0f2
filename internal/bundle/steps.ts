/** Long work on the files of an app in steps, between which a node does other work. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** It yields where the event loop may run. No step takes more than some 10 ms. */
export type Steps<Result> = Generator<undefined, Result>

/** Runs all steps at once, for commands, which may block. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Runs the steps in turns of the event loop. @param turn called between two steps. @default other work has its turn */
export const runStepsInTurns = async <Result>(
  steps: Steps<Result>,
  turn: () => Promise<unknown> = nextTurn,
): Promise<Result> => {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await turn()
  }
}
