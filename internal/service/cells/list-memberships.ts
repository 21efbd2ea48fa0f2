/** Lists the workspaces of a person in all cells. */
import type { Role } from '#core/access/scope.ts'
import { findAccount, listMemberships, listMembershipsInCell } from '#store/people/users.ts'
import type { Deps } from '../deps.ts'
import { askCells } from './ask-cells.ts'

export type Membership = Readonly<{ id: string; role: Role }>

/**
 * Lists memberships by id. Those of a cell that does not answer are left out, so that the others stay reachable.
 * @throws {DatabaseError} of the home
 */
export const listAllMemberships = async (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  email: string,
): Promise<readonly Membership[]> => {
  const own = await listMemberships(deps.home, email)
  const account = deps.furtherCells().length === 0 ? null : await findAccount(deps.home, email)
  if (account === null) return own
  const others = await askCells(deps, (db) => listMembershipsInCell(db, account))
  return [...own, ...others.flat()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
