/** Which part of a job is open; stored in the address. */
import { defined, oneOf } from '../../../kit/search.ts'

const TABS = ['result', 'input', 'log', 'steps', 'attempts'] as const
export type JobTab = (typeof TABS)[number]

export const readJobSearch = ({ tab }: Record<string, unknown>) =>
  defined({ tab: oneOf(TABS, tab) })
