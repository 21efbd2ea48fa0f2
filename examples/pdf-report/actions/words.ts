import type { ActionContext } from '@svc/sdk'
import type { Read } from './read.ts'

export const main = ({ input }: Pick<ActionContext<Read>, 'input'>) =>
  input.text.split(/\s+/).filter((word) => word !== '').length
