import type { ActionContext } from '@svc/sdk'

type Wish = { what: string; of: string }

/** Stands for the call of a booking service. */
export const main = ({ input }: Pick<ActionContext<Wish>, 'input'>) => {
  const { what, of } = input
  // final: `notOn` of the action's retry names it
  if (of === 'sold out') {
    throw Object.assign(new Error(`There is no ${what} left.`), { name: 'SoldOut' })
  }
  return { booking: `${what}-${of}` }
}
