import type { ActionContext } from '@svc/sdk'

/** Stands for a payment. Give your bank the run's id as idempotency key: a retry must not pay twice. */
export const main = ({
  input,
}: Pick<ActionContext<{ title: string; cents: number }>, 'input'>) => ({
  paid: input.cents,
})
