import type { ActionContext } from '@svc/sdk'

/** May run twice after a crash, so canceling what is canceled must be no error. */
export const main = ({ input }: Pick<ActionContext<{ booking: string }>, 'input'>) => ({
  canceled: input.booking,
})
