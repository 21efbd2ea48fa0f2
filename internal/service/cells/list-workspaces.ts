/** Lists the workspaces of the instance in all cells. */
import { HOME_CELL } from '#core/cells.ts'
import type { NamePage } from '#store/search.ts'
import { listWorkspaces, type Workspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'
import { askCells } from './ask-cells.ts'

export type PlacedWorkspace = Readonly<{ workspace: Workspace; cell: string }>

/** Lists a page by id. Workspaces of a cell that does not answer are left out. @throws {DatabaseError} of the home */
export const listWorkspacesInCells = async (
  deps: Pick<Deps, 'home' | 'furtherCells'>,
  page: NamePage,
): Promise<readonly PlacedWorkspace[]> => {
  const placed = (cell: string) => (workspace: Workspace) => ({ workspace, cell })
  const own = (await listWorkspaces(deps.home, page)).map(placed(HOME_CELL))
  const others = await askCells(deps, async (db, name) =>
    (await listWorkspaces(db, page)).map(placed(name)),
  )
  return [own, ...others]
    .flat()
    .toSorted((a, b) => (a.workspace.id < b.workspace.id ? -1 : 1))
    .slice(0, page.limit)
}
