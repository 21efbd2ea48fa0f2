/** Which part of an app is open, and which two of its deployments are compared; stored in the address. */
import { readWindow, type WindowName } from '../../../figures/windows.ts'
import { defined, oneOf } from '../../../kit/search.ts'

const TABS = [
  'actions',
  'flows',
  'functions',
  'schedules',
  'figures',
  'deployments',
  'source',
] as const
export type AppTab = (typeof TABS)[number]

export type AppSearch = Readonly<{
  tab?: AppTab
  /** How far back the figures go. */
  span?: WindowName
  /** The deployment that is shown. */
  deployment?: string
  /** The deployment to compare it with. @default the one before it */
  base?: string
}>

const ID = /^[0-9a-f-]{36}$/

const idOf = (given: unknown): string | undefined =>
  typeof given === 'string' && ID.test(given) ? given : undefined

export const readAppSearch = ({ tab, ...given }: Record<string, unknown>): AppSearch =>
  defined({
    tab: oneOf(TABS, tab),
    span: readWindow(given.span),
    deployment: idOf(given.deployment),
    base: idOf(given.base),
  })
