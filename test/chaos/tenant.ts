/**
 * A workspace of a chaos run: that of a single database or, in a run over
 * cells, the one at home and one that moves between two cells.
 */
import type { Database } from '#store/database.ts'
import { findPlace } from '#store/workspaces/cells.ts'
import type { Fleet } from '../e2e/fleet.ts'

export type Tenant = Readonly<{
  ws: string
  token: string
  /** Whether it is moved between cells. It does not answer during a move. */
  isMoved: boolean
  /** URLs of the databases in which it may be. */
  urls: readonly string[]
  /** Reads the database in which it currently is. */
  read: <T>(look: (db: Database) => Promise<T>) => Promise<T>
}>

/** Where the moved workspace begins, and where it goes. */
export const MOVED_BETWEEN = ['eu', 'us'] as const
export const MOVED = 'acme'

export const homeTenant = ({ folder, read }: Fleet): Tenant => ({
  ws: 'default',
  token: folder.token,
  isMoved: false,
  urls: [folder.databaseUrl],
  read: (look) => read(look),
})

/** Creates the workspace that moves. */
export const openMovedTenant = async (fleet: Fleet): Promise<Tenant> => {
  await fleet.command('workspace', 'create', MOVED, '--cell', MOVED_BETWEEN[0])
  const names: readonly string[] = MOVED_BETWEEN
  return {
    ws: MOVED,
    token: await fleet.command('create-token', MOVED, 'admin@localhost'),
    isMoved: true,
    urls: fleet.databases.filter(({ name }) => names.includes(name)).map(({ url }) => url),
    read: async (look) => {
      const { cell } = await fleet.read((home) => findPlace(home, MOVED))
      return fleet.read(look, cell)
    },
  }
}
