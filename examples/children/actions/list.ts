import type { ActionContext } from '@svc/sdk'

/** Stands for a query of what is to be done. */
export const main = ({ input }: Pick<ActionContext<{ count: number }>, 'input'>) =>
  Array.from({ length: input.count }, (_, at) => ({ page: at + 1 }))
