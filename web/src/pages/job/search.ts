/** Which part of a job is open; the address holds it. */
const TABS = ['result', 'input', 'log', 'attempts'] as const
export type JobTab = (typeof TABS)[number]

export const readJobSearch = ({ tab }: Record<string, unknown>): { tab?: JobTab } => {
  const found = TABS.find((each) => each === tab)
  return found === undefined ? {} : { tab: found }
}
