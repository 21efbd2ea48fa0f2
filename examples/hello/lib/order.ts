export type Order = Readonly<{ customer: string; amount: number }>

export type Summary = Readonly<{
  orders: number
  total: number
  byCustomer: Record<string, number>
}>

export const summarize = (orders: readonly Order[]): Summary => {
  const byCustomer: Record<string, number> = {}
  for (const { customer, amount } of orders) {
    byCustomer[customer] = (byCustomer[customer] ?? 0) + amount
  }
  return {
    orders: orders.length,
    total: orders.reduce((sum, { amount }) => sum + amount, 0),
    byCustomer,
  }
}

export const checkOrder = (order: Order): Order => {
  if (order.amount <= 0) {
    throw new RangeError(`The order of ${order.customer} has no positive amount: ${order.amount}.`)
  }
  return order
}
