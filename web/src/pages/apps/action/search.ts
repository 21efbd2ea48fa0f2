/** Which part of an action is open; the address holds it. */
const TABS = ['run', 'runs', 'call', 'schema'] as const
export type ActionTab = (typeof TABS)[number]

export const readActionSearch = ({ tab }: Record<string, unknown>): { tab?: ActionTab } => {
  const found = TABS.find((each) => each === tab)
  return found === undefined ? {} : { tab: found }
}
