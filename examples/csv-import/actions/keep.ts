import type { ActionContext } from '@svc/sdk'
import type { Row } from './read.ts'

/** Stands for a write: use a key of the row (here its address), so that a retry writes it once. */
export const main = ({ input }: Pick<ActionContext<Row>, 'input'>) => ({ kept: input.email })
