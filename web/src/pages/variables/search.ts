/** Which of the two is open; the address holds it. */
const TABS = ['variables', 'resources'] as const
export type SecretsTab = (typeof TABS)[number]

export const readSecretsSearch = ({ tab }: Record<string, unknown>): { tab?: SecretsTab } => {
  const found = TABS.find((each) => each === tab)
  return found === undefined ? {} : { tab: found }
}
