import { checkOrder } from '../lib/order.ts'

export const main = () => checkOrder({ customer: 'Ada', amount: -1 })
