import type { ActionContext } from '@svc/sdk'

type Callback = { id: string; order: string; amount: number }

/** The provider's callback wakes the order that waits for it. */
export const main = async ({ input, sendEvent }: ActionContext<Callback>) => {
  const { id, order, amount } = input
  return sendEvent('order.paid', { key: order, data: { amount }, id })
}
