/** The logger on LogTape. */
import process from 'node:process'
import {
  configureSync,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type LogLevel,
  type LogRecord,
} from '@logtape/logtape'
import type { LogFields, Logger } from './logger.ts'

const SECRET_NAME = /password|secret|token|authorization|cookie|private_?key/i

/** An Error alone would read `{}` in JSON. A field that sounds like a secret is masked, whatever it holds. */
const toFields = (fields: LogFields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (SECRET_NAME.test(name)) return [name, '********']
      return [name, value instanceof Error ? (value.stack ?? value.message) : value]
    }),
  )

const formatText = getTextFormatter({ timestamp: 'time', level: 'ABBR', category: '.' })

const withFields = (record: LogRecord): string => {
  const fields = Object.entries(record.properties).map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}=${JSON.stringify(value)}`,
  )
  const line = formatText(record).trimEnd()
  return fields.length === 0 ? `${line}\n` : `${line}  ${fields.join(' ')}\n`
}

export const configureLog = (level: LogLevel): void => {
  const format = process.stderr.isTTY ? withFields : getJsonLinesFormatter()
  configureSync({
    sinks: {
      stderr: (record) => {
        process.stderr.write(format(record))
      },
    },
    loggers: [
      { category: 'svc', lowestLevel: level, sinks: ['stderr'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: ['stderr'] },
    ],
    reset: true,
  })
}

/** @param room for example `worker` */
export const createLogger = (room: string): Logger => {
  const logger = getLogger(['svc', room])
  return {
    debug: (message, fields = {}) => logger.debug(message, toFields(fields)),
    info: (message, fields = {}) => logger.info(message, toFields(fields)),
    warn: (message, fields = {}) => logger.warn(message, toFields(fields)),
    error: (message, fields = {}) => logger.error(message, toFields(fields)),
  }
}
