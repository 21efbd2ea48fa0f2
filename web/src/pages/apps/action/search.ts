/** Which part of an action is open; the address holds it. */
import { defined, oneOf } from '../../../kit/search.ts'
import { readPlace } from '../code-place.ts'

const TABS = ['run', 'runs', 'code', 'call', 'schema'] as const
export type ActionTab = (typeof TABS)[number]

export const readActionSearch = ({ tab, ...place }: Record<string, unknown>) => ({
  ...defined({ tab: oneOf(TABS, tab) }),
  ...readPlace(place),
})
