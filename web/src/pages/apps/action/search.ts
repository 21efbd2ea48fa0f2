/** Which part of an action is open; stored in the address. */
import { readWindow } from '../../../figures/windows.ts'
import { defined, oneOf } from '../../../kit/search.ts'
import { readPlace } from '../code-place.ts'

const TABS = ['run', 'runs', 'figures', 'code', 'call', 'schema'] as const
export type ActionTab = (typeof TABS)[number]

export const readActionSearch = ({ tab, span, ...place }: Record<string, unknown>) => ({
  ...defined({ tab: oneOf(TABS, tab), span: readWindow(span) }),
  ...readPlace(place),
})
