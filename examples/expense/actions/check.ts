import type { ActionContext } from '@svc/sdk'

type Expense = { title: string; amount: number }

export const main = ({ input }: Pick<ActionContext<Expense>, 'input'>) => {
  if (!(input.amount > 0)) throw new RangeError('An expense has a positive amount.')
  return { title: input.title, cents: Math.round(input.amount * 100) }
}
