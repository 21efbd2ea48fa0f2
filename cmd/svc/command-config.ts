/** Settings of a command: its flags over the environment; sets up the log and warns of unknown names. */
import { type Config, loadConfig } from '#config/config.ts'
import { configureLog, createLogger } from '#log/logtape.ts'

export const loadCommandConfig = (flags: Readonly<Record<string, unknown>>): Config => {
  const { config, warnings } = loadConfig({ flags })
  configureLog({ level: config.logLevel, format: config.logFormat })
  const log = createLogger('config')
  for (const warning of warnings) log.warn(warning)
  return config
}
