import type { ActionContext } from '@svc/sdk'

type Input = { trip: string; soldOut?: string }

const PARTS = ['flight', 'hotel', 'car']

/**
 * A part is on the list of what is to be undone before it is booked: a booking that timed out may have happened. So canceling
 * what was never booked must do no harm.
 */
export const main = async (ctx: ActionContext<Input>) => {
  const { trip, soldOut } = ctx.input
  const begun: string[] = []
  try {
    for (const part of PARTS) {
      begun.push(part)
      await ctx.step(`book ${part}`, () => {
        ctx.log(`books ${part}`)
        if (part === soldOut) throw new Error(`No ${part} is left.`)
        return `${trip}/${part}`
      })
    }
    return { trip, status: 'booked' }
  } catch (error) {
    for (const part of begun.toReversed()) {
      await ctx.step(`cancel ${part}`, () => ctx.log(`canceled ${part}`), {
        retry: { maxAttempts: 10, delayMs: 1_000, backoffFactor: 2 },
      })
    }
    return { trip, status: 'canceled', because: error instanceof Error ? error.message : '' }
  }
}
