/**
 * Why a person may not answer an approval: the server's own rule [flows 9.3, 9.4], so that no
 * button is offered that it would refuse. Pure.
 */
export type Bar = 'own_run' | 'answered_before'

/** One person under two spellings of an address is one person. */
const isSame = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

export const barOf = (
  {
    requesters,
    approvers,
    allowSelfApproval,
  }: Readonly<{
    /** The requester of the run, and the account it runs as. */
    requesters: readonly string[]
    /** Who has answered this step. */
    approvers: readonly string[]
    allowSelfApproval: boolean
  }>,
  identity: string,
): Bar | null => {
  if (approvers.some((approver) => isSame(approver, identity))) return 'answered_before'
  const isOwn = requesters.some((requester) => isSame(requester, identity))
  return isOwn && !allowSelfApproval ? 'own_run' : null
}
