/** Whose approvals are listed, and which one is open; both are stored in the address. */
import { defined, flagParam, textParam } from '../../kit/search.ts'

export type ApprovalsSearch = Readonly<{
  all?: true
  /** The run whose approval is open. */
  run?: string
}>

export const readApprovalsSearch = ({ all, run }: Record<string, unknown>): ApprovalsSearch =>
  defined({ all: flagParam(all), run: textParam(run, 100) })
