/** How far back the overview counts; stored in the address. */
import { readWindow } from '../../figures/windows.ts'
import { defined } from '../../kit/search.ts'

export const readOverviewSearch = ({ span }: Record<string, unknown>) =>
  defined({ span: readWindow(span) })
