import type { ActionContext } from '@svc/sdk'
import type { BadRow } from './read.ts'

type Import = { kept: unknown[]; bad: BadRow[] }

export const main = ({ input }: Pick<ActionContext<Import>, 'input'>) => ({
  kept: input.kept.length,
  refused: input.bad.map(({ line, why }) => `line ${line}: ${why}`),
})
