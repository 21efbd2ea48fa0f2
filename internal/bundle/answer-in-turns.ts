/** Answers esbuild in turns of the event loop, because it asks for hundreds of modules at once. */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { runStepsInTurns, type Steps } from './steps.ts'

/** Milliseconds after which other work of the process has its turn. */
const TURN_MS = 5

/** Does one piece of work after those that were given before. */
export type InTurn = Readonly<{
  short: <Result>(work: () => Result) => Promise<Result>
  long: <Result>(work: () => Steps<Result>) => Promise<Result>
}>

export const answerInTurns = (): InTurn => {
  let begun = performance.now()
  let last: Promise<unknown> = Promise.resolve()
  const turn = async (): Promise<void> => {
    if (performance.now() - begun <= TURN_MS) return
    await setImmediate()
    begun = performance.now()
  }
  const inOrder = <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const answer = last.then(async () => {
      await turn()
      return work()
    })
    last = answer.catch(() => undefined)
    return answer
  }
  return { short: inOrder, long: (work) => inOrder(() => runStepsInTurns(work(), turn)) }
}
