import { checkOrder, type Order } from '../lib/order.ts'

const ORDERS: readonly Order[] = [
  { customer: 'Ada', amount: 120 },
  { customer: 'Grace', amount: 75 },
  { customer: 'Ada', amount: 30 },
]

/** Replaces a call to your shop; its result is the input of the next step. */
export const main = () => ({ orders: ORDERS.map(checkOrder) })
