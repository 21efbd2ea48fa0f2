/** Which part of a flow is open, and which step is looked at; the address holds it. */
const TABS = ['graph', 'steps', 'runs', 'links'] as const
export type FlowTab = (typeof TABS)[number]

export type FlowSearch = Readonly<{ tab?: FlowTab; step?: string }>

export const readFlowSearch = ({ tab, step }: Record<string, unknown>): FlowSearch => {
  const found = TABS.find((each) => each === tab)
  // the router reads ?step=1 as a number
  const key = typeof step === 'number' ? String(step) : step
  return {
    ...(found === undefined ? {} : { tab: found }),
    ...(typeof key === 'string' && key !== '' ? { step: key.slice(0, 200) } : {}),
  }
}
