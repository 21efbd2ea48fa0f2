import type { ActionContext } from '@svc/sdk'

/** A real app would open a ticket here. */
export const main = ({ input, log }: ActionContext<{ invoice: string }>) => {
  log(`${input.invoice} goes to the collections team.`)
  return { by: 'collections' }
}
