import type { ActionContext } from '@svc/sdk'

type Findings = { pages: number; found: { words: number; dates: string[] } }

export const main = ({ input }: Pick<ActionContext<Findings>, 'input'>) => ({
  pages: input.pages,
  ...input.found,
})
