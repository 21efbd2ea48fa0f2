import type { ActionContext } from '@svc/sdk'
import type { Read } from './read.ts'

const DATE = /\b\d{4}-\d{2}-\d{2}\b/g

export const main = ({ input }: Pick<ActionContext<Read>, 'input'>) => input.text.match(DATE) ?? []
