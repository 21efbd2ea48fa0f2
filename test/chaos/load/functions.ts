/** Callers of a function that stores what they send. Whatever it acknowledged with 200 must be there afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from './caller.ts'

export type FunctionLedger = Readonly<{
  /** Numbers that the function has acknowledged. */
  kept: ReadonlySet<number>
}>

export type FunctionLoadOptions = Readonly<{
  caller: Caller
  callers: number
  everyMs: number
  isOver: () => boolean
}>

export const createFunctionLoad = ({ caller, callers, everyMs, isOver }: FunctionLoadOptions) => {
  const kept = new Set<number>()
  let numbers = 0
  const beCaller = async (): Promise<void> => {
    while (!isOver()) {
      const node = await caller.pickServer()
      numbers += 1
      const number = numbers
      if (node !== null) {
        // 500: its guest was killed; only the log has the cause
        const expected = [500, 504]
        const path = `/fn/${caller.ws}/chaos/keep?n=${number}`
        const { status } = await caller.call(node, path, { expected })
        if (status === 200) kept.add(number)
      }
      await sleep(everyMs)
    }
  }
  const run = async (): Promise<void> => {
    await Promise.all(Array.from({ length: callers }, beCaller))
  }
  const ledger: FunctionLedger = { kept }
  return { ledger, run }
}
