import type { ActionContext } from '@svc/sdk'

type Input = { account: string; trialDays?: number; months?: number }

const DAY_S = 86_400

/** Sleeps for days and wakes early when the customer acts. */
export const main = async (ctx: ActionContext<Input>) => {
  const { account, trialDays = 14, months = 12 } = ctx.input
  const ended = await ctx.waitForEvent('trial', {
    name: 'trial.ended',
    match: account,
    timeoutS: trialDays * DAY_S,
  })
  // one event for both ways out: a wait for the upgrade alone would miss a cancel in the trial
  if (ended?.data === 'canceled') return { account, paidMonths: 0, status: 'canceled' }
  await ctx.step('welcome', () =>
    ctx.log(ended === null ? `The trial of ${account} is over.` : `${account} has upgraded.`),
  )
  for (let month = 1; month <= months; month += 1) {
    await ctx.call(`charge-${month}`, 'charge', { account, month })
    const canceled = await ctx.waitForEvent(`month-${month}`, {
      name: 'plan.canceled',
      match: account,
      timeoutS: 30 * DAY_S,
    })
    if (canceled !== null) return { account, paidMonths: month, status: 'canceled' }
  }
  return { account, paidMonths: months, status: 'ended' }
}
