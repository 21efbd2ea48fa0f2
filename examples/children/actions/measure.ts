import type { ActionContext } from '@svc/sdk'

/** A child: one job for each item. */
export const main = ({ input }: Pick<ActionContext<{ page: number }>, 'input'>) => ({
  page: input.page,
  words: input.page * 100,
})
