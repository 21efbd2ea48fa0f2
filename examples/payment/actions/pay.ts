import type { ActionContext } from '@svc/sdk'
import { decide, type State } from '../lib/decide.ts'

type Context = Pick<ActionContext<{ order: string; cents: number }>, 'input'> & { state: State }

export const main = async ({ input, state }: Context) => {
  const { order, cents } = input
  if ((await decide(state, order, 'paid')) === 'canceled') return { order, status: 'canceled' }
  // here a real app charges, with the order as the bank's idempotency key: a retry charges once
  return { order, status: 'paid', cents }
}
