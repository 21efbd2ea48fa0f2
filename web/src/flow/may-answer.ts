/**
 * Why a person may not answer an approval. It is the same rule as the server's [flows 9.3, 9.4], so that the console offers
 * no button that the server would refuse. Pure.
 */
export type Bar = 'own_run' | 'answered_before'

/** Two spellings of one address belong to the same person. */
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
    /** The people who have answered this step. */
    approvers: readonly string[]
    allowSelfApproval: boolean
  }>,
  identity: string,
): Bar | null => {
  if (approvers.some((approver) => isSame(approver, identity))) return 'answered_before'
  const isOwn = requesters.some((requester) => isSame(requester, identity))
  return isOwn && !allowSelfApproval ? 'own_run' : null
}
