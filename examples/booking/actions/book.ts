import type { ActionContext } from '@svc/sdk'

type Input = { trip: string; soldOut?: string }

const PARTS = ['flight', 'hotel', 'car']

/** The list of what is to be undone is built from recorded steps, so it is the same after a crash. */
export const main = async (ctx: ActionContext<Input>) => {
  const { trip, soldOut } = ctx.input
  const booked: string[] = []
  try {
    for (const part of PARTS) {
      await ctx.step(`book ${part}`, () => {
        if (part === soldOut) throw new Error(`No ${part} is left.`)
        ctx.log(`booked ${part}`)
        return `${trip}/${part}`
      })
      booked.push(part)
    }
    return { trip, status: 'booked' }
  } catch (error) {
    for (const part of booked.toReversed()) {
      await ctx.step(`cancel ${part}`, () => ctx.log(`canceled ${part}`), {
        retry: { maxAttempts: 10, delayMs: 1_000, backoffFactor: 2 },
      })
    }
    return { trip, status: 'canceled', because: error instanceof Error ? error.message : '' }
  }
}
