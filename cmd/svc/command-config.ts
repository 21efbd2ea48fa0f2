/** Settings of a command: its flags take precedence over the environment. It also sets up the log and warns of unknown names. */
import { type Config, configOfCell, loadConfig } from '#config/config.ts'
import { HOME_CELL } from '#core/cells.ts'
import { configureLog, createLogger } from '#log/logtape.ts'

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

/** Like `loadCommandConfig`, for the database that `--cell` names. @throws {AppError} invalid: there is no such cell */
export const loadCellConfig = (flags: Readonly<Record<string, unknown>>): Config =>
  configOfCell(loadCommandConfig(flags), String(flags.cell ?? HOME_CELL))
