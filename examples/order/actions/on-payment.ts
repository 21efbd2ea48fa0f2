import type { ActionContext } from '@svc/sdk'

type Callback = { id: string; order: string; amount: number }

/** The provider's callback wakes the order that waits for it. A webhook's input is the text that was sent. */
export const main = async ({ input, sendEvent }: ActionContext<string>) => {
  const { id, order, amount }: Callback = JSON.parse(input)
  return sendEvent('order.paid', { key: order, data: { amount }, id })
}
