/** Limits the time of a turn of the event loop for work that arrives in parts, whose owners continue in the next turn. */
export interface TurnBudget {
  /** Whether the parts of this turn have taken all of its time. */
  isSpent(): boolean
  /** Counts the time of a part. */
  spend(ms: number): void
  /**
   * Calls `resume` in the next turn.
   * @param hadPart whether the owner had a part in this turn; those that had none come first
   */
  wait(resume: () => void, hadPart: boolean): void
}

export type TurnBudgetOptions = Readonly<{
  turnMs: number
  /** Calls a function in the next turn of the event loop. */
  nextTurn: (act: () => void) => void
}>

/** Creates the budget of one kind of work. */
export const createTurnBudget = ({ turnMs, nextTurn }: TurnBudgetOptions): TurnBudget => {
  let spentMs = 0
  let isPlanned = false
  let passedOver: (() => void)[] = []
  let served: (() => void)[] = []

  const renew = (): void => {
    const waiting = [...passedOver, ...served]
    spentMs = 0
    isPlanned = false
    passedOver = []
    served = []
    for (const resume of waiting) resume()
  }
  const plan = (): void => {
    if (isPlanned) return
    isPlanned = true
    nextTurn(renew)
  }
  return {
    isSpent: () => spentMs >= turnMs,
    spend: (ms) => {
      spentMs += ms
      plan()
    },
    wait: (resume, hadPart) => {
      if (hadPart) served.push(resume)
      else passedOver.push(resume)
      plan()
    },
  }
}
