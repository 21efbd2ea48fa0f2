import type { ActionContext } from '@svc/sdk'
import { type Order, summarize } from '../lib/order.ts'

export const main = (ctx: ActionContext<{ orders: readonly Order[] }>) =>
  summarize(ctx.input.orders)
