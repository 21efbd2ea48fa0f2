import type { ActionContext } from '@svc/sdk'

/** A real app would call its payment provider, with this key for exactly one charge a month. */
export const main = ({ input }: ActionContext<{ account: string; month: number }>) => ({
  idempotencyKey: `${input.account}/${input.month}`,
})
