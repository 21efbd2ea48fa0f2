/** Settings of a command: its flags take precedence over the environment. It also sets up the log and warns of unknown names. */
import { type Config, configOfCell, loadConfig } from '#config/config.ts'
import { findOtherCell, HOME_CELL } from '#core/cells.ts'
import { configureLog, createLogger } from '#log/logtape.ts'
import { WrongCellError } from '#service/cells/check-cell-name.ts'
import { cellOfFile } from '#store/maintenance/backup.ts'
import { refuseFolder } from '#store/open-database.ts'

export const loadCommandConfig = (flags: Readonly<Record<string, unknown>>): Config => {
  const { config, warnings } = loadConfig({ flags })
  configureLog({ level: config.logLevel, format: config.logFormat })
  const log = createLogger('config')
  for (const warning of warnings) log.warn(warning)
  return config
}

/** The option of commands about one database. */
export const cellOption = {
  type: 'string',
  requiresArg: true,
  default: HOME_CELL,
  describe: 'Database: one of SVC_CELLS, or home for the first',
} as const

const cellOf = (flags: Readonly<Record<string, unknown>>): string => String(flags.cell ?? HOME_CELL)

/** Like `loadCommandConfig`, for the database that `--cell` names. @throws {AppError} invalid: there is no such cell */
export const loadCellConfig = (flags: Readonly<Record<string, unknown>>): Config =>
  configOfCell(loadCommandConfig(flags), cellOf(flags))

/** The cell that `--cell` names; null without it, because a copy of any cell may be examined in a folder of its own. */
export const namedCell = (flags: Readonly<Record<string, unknown>>): string | null => {
  const cell = cellOf(flags)
  return cell === HOME_CELL ? null : cell
}

/**
 * Refuses a database that is not the one of `--cell`, because SVC_CELLS confuses two.
 * @throws {WrongCellError}
 * @throws {AppError} invalid: it is a folder
 */
export const requireCell = (flags: Readonly<Record<string, unknown>>, path: string): string => {
  refuseFolder(path)
  const other = findOtherCell(cellOf(flags), cellOfFile(path))
  if (other !== null) throw new WrongCellError(cellOf(flags), other)
  return path
}
