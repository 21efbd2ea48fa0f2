import type { ActionContext } from '@svc/sdk'

type Order = { order: string; cents: number }

/** Stands for what the buyer has paid for. */
export const main = ({ input }: Pick<ActionContext<Order>, 'input'>) => ({ sent: input.order })
