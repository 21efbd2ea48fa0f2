/** Answers esbuild in turns of the event loop, because it asks for hundreds of modules at once. */
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which other work of the process has its turn. */
const TURN_MS = 5

/** Does one piece of work after those that were given before. */
export type InTurn = <Result>(work: () => Result) => Promise<Result>

export const answerInTurns = (): InTurn => {
  let begun = performance.now()
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const answer = last.then(async () => {
      if (performance.now() - begun > TURN_MS) {
        await setImmediate()
        begun = performance.now()
      }
      return work()
    })
    last = answer.catch(() => undefined)
    return answer
  }
}
