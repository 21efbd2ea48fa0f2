/** Which part of an app is open, and which two of its deployments are compared; stored in the address. */
import { readWindow, type WindowName } from '../../../figures/windows.ts'
import { defined, idParam, oneOf } from '../../../kit/search.ts'

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

export const readAppSearch = ({ tab, ...given }: Record<string, unknown>): AppSearch =>
  defined({
    tab: oneOf(TABS, tab),
    span: readWindow(given.span),
    deployment: idParam(given.deployment),
    base: idParam(given.base),
  })
