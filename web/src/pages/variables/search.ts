/** Which part of the page is open; stored in the address. */
import { defined, oneOf } from '../../kit/search.ts'

const TABS = ['variables', 'resources'] as const
export type SecretsTab = (typeof TABS)[number]

export const readSecretsSearch = ({ tab }: Record<string, unknown>) =>
  defined({ tab: oneOf(TABS, tab) })
