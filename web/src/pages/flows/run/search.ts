/** Which view of a run is open, and which step is selected; stored in the address. */
import { defined, oneOf, textParam } from '../../../kit/search.ts'

const VIEWS = ['graph', 'timeline'] as const
export type RunView = (typeof VIEWS)[number]

export const readRunSearch = ({ view, step }: Record<string, unknown>) =>
  defined({ view: oneOf(VIEWS, view), step: textParam(step) })
