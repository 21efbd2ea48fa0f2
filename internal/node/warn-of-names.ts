/** Warns at the start of names in the settings that the database lacks, and of those in the database that the settings lack. */
import type { Config } from '#config/config.ts'
import { HOME_CELL } from '#core/cells.ts'
import type { Logger } from '#log/logger.ts'
import type { Database } from '#store/database.ts'
import { listUsedCells } from '#store/workspaces/cells.ts'
import { listMissingWorkspaces } from '#store/workspaces/workspaces.ts'

/** Lists cells that have workspaces but no address in the settings: svc answers as if those workspaces did not exist. */
export const listUnnamedCells = async (
  { cells }: Pick<Config, 'cells'>,
  db: Database,
): Promise<readonly string[]> => {
  const known = [HOME_CELL, ...cells.map(({ name }) => name)]
  return (await listUsedCells(db)).filter((cell) => !known.includes(cell))
}

/** @param isWorker whether the node runs jobs */
export const warnOfNames = async (
  config: Config,
  db: Database,
  { isWorker, log }: Readonly<{ isWorker: boolean; log: Pick<Logger, 'warn'> }>,
): Promise<void> => {
  try {
    const cells = await listUnnamedCells(config, db)
    if (cells.length > 0) {
      const message =
        'SVC_CELLS does not name cells that have workspaces, which cannot be reached. Set it to the same value on all nodes.'
      log.warn(message, { cells })
    }
    const workspaces = isWorker ? await listMissingWorkspaces(db, config.workspaces) : []
    if (workspaces.length > 0) {
      const message =
        'SVC_WORKSPACES names workspaces that do not exist. This worker serves them once they do.'
      log.warn(message, { workspaces })
    }
  } catch (error) {
    log.warn('The names in the settings could not be compared with the database.', { error })
  }
}
