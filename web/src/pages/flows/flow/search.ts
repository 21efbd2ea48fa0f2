/** Which part of a flow is open, and which step is selected; stored in the address. */
import { defined, flagParam, oneOf, textParam } from '../../../kit/search.ts'

const TABS = ['graph', 'steps', 'runs', 'links'] as const
export type FlowTab = (typeof TABS)[number]

export const readFlowSearch = ({ tab, step, start }: Record<string, unknown>) =>
  defined({
    tab: oneOf(TABS, tab),
    step: textParam(step),
    /** Opens the page with the form that starts a run. */
    start: flagParam(start),
  })
