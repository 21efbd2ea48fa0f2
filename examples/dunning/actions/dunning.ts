import type { ActionContext } from '@svc/sdk'

type Input = { invoice: string }

const DAY_S = 86_400
const PAUSES = [3, 7, 14]

/** Reminds three times, each time after a longer pause, and then hands the invoice to people. */
export const main = async (ctx: ActionContext<Input>) => {
  const { invoice } = ctx.input
  for (const [nth, days] of PAUSES.entries()) {
    const paid = await ctx.waitForEvent(`paid-${nth}`, {
      name: 'invoice.paid',
      match: invoice,
      timeoutS: days * DAY_S,
    })
    if (paid !== null) return { invoice, status: 'paid', reminders: nth }
    await ctx.step(`remind-${nth}`, () => ctx.log(`Reminder ${nth + 1} for ${invoice}.`))
  }
  const handed = await ctx.call('escalate', 'escalate', { invoice })
  return { invoice, status: 'escalated', handed, reminders: PAUSES.length }
}
