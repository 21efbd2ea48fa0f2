import type { ActionContext } from '@svc/sdk'

/** Without an `input` in app.yaml it gets the results of all children, in the order of the items. */
export const main = ({ input }: Pick<ActionContext<{ words: number }[]>, 'input'>) => ({
  pages: input.length,
  words: input.reduce((sum, { words }) => sum + words, 0),
})
