import type { ActionContext } from '@svc/sdk'

type Input = { order: string; items: string[] }

const HOUR_S = 3_600

/** Reserves, waits for the payment without a worker, then ships or gives back. */
export const main = async (ctx: ActionContext<Input>) => {
  const { order, items } = ctx.input
  const reserved = await ctx.step('reserve', () => {
    ctx.log(`Reserved ${items.join(', ')} for ${order}.`)
    return items.length
  })
  const paid = await ctx.waitForEvent('payment', {
    name: 'order.paid',
    match: order,
    timeoutS: HOUR_S,
  })
  if (paid === null) {
    await ctx.step('release', () => ctx.log(`Released the goods of ${order}.`))
    return { order, status: 'expired' }
  }
  const parcel = await ctx.step('ship', () => `parcel of ${order}`, { retry: { maxAttempts: 5 } })
  return { order, status: 'shipped', reserved, parcel }
}
