/** Which part of a function is open, and which of its calls; stored in the address. */
import { defined, oneOf, textParam } from '../../../kit/search.ts'
import { readPlace } from '../code-place.ts'

const TABS = ['try', 'calls', 'code'] as const
export type FunctionTab = (typeof TABS)[number]

export const readFunctionSearch = ({ tab, call, ...place }: Record<string, unknown>) => ({
  ...defined({ tab: oneOf(TABS, tab), call: textParam(call, 64) }),
  ...readPlace(place),
})
