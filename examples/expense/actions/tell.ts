import type { ActionContext } from '@svc/sdk'

/** Stands for a message: to the approver as a reminder, to the author as the answer. */
export const main = ({ input }: Pick<ActionContext<Record<string, unknown>>, 'input'>) => ({
  told: input,
})
