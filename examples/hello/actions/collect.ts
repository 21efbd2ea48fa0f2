import { checkOrder, type Order } from '../lib/order.ts'

const ORDERS: readonly Order[] = [
  { customer: 'Ada', amount: 120 },
  { customer: 'Grace', amount: 75 },
  { customer: 'Ada', amount: 30 },
]

/** Stands in for a call to your shop: what it returns is the next step's input. */
export const main = () => ({ orders: ORDERS.map(checkOrder) })
