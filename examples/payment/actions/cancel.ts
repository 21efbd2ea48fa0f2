import type { ActionContext } from '@svc/sdk'
import { decide, type State } from '../lib/decide.ts'

type Context = Pick<ActionContext<{ order: string }>, 'input'> & { state: State }

export const main = async ({ input, state }: Context) => ({
  order: input.order,
  status: await decide(state, input.order, 'canceled'),
})
