/** Which part of an action is open; the address holds it. */
import { defined, oneOf } from '../../../kit/search.ts'

const TABS = ['run', 'runs', 'call', 'schema'] as const
export type ActionTab = (typeof TABS)[number]

export const readActionSearch = ({ tab }: Record<string, unknown>) =>
  defined({ tab: oneOf(TABS, tab) })
