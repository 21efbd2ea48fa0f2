/** Whose approvals are listed, and which one is open; both are stored in the address. */
export type ApprovalsSearch = Readonly<{
  all?: true
  /** The run whose approval is open. */
  run?: string
}>

export const readApprovalsSearch = ({ all, run }: Record<string, unknown>): ApprovalsSearch => ({
  ...(all === true || all === 'true' ? { all: true } : {}),
  ...(typeof run === 'string' && run !== '' ? { run: run.slice(0, 100) } : {}),
})
