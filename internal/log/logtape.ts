/**
 * The log on LogTape, to stderr: JSON lines, or text for a person.
 *
 * It guarantees: a field whose name sounds like a secret is masked at any depth; an error keeps its stack and its cause;
 * a field never breaks the line (no way to forge one by a line feed in a value).
 * It leaves to others: what jobs print. That is data (service/job-log.ts).
 */
import process from 'node:process'
import {
  configureSync,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type LogRecord,
} from '@logtape/logtape'
import type { LogFields, Logger } from './logger.ts'
import { redactFields } from './redact.ts'

const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const

export type LogOptions = Readonly<{
  level: (typeof LOG_LEVELS)[number]
  /** `auto`: text when `isTerminal`, JSON lines otherwise. */
  format: 'auto' | 'json' | 'text'
  /** @default whether stderr is one */
  isTerminal?: boolean
  /** @default stderr */
  write?: (line: string) => void
}>

const formatJson = getJsonLinesFormatter()
const formatMessage = getTextFormatter({ timestamp: 'time', level: 'ABBR', category: '.' })

const toText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)

const formatText = (record: LogRecord): string => {
  const { stack, ...fields } = record.properties
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${toText(value)}`)
  const line = [formatMessage(record).trimEnd(), ...shown].join(' ')
  return typeof stack === 'string' ? `${line}\n${stack}\n` : `${line}\n`
}

const toStderr = (line: string): void => {
  process.stderr.write(line)
}

/** Whether a person reads along. */
export const writesText = ({
  format,
  isTerminal = process.stderr.isTTY === true,
}: Pick<LogOptions, 'format' | 'isTerminal'>): boolean =>
  format === 'text' || (format === 'auto' && isTerminal)

export const configureLog = (options: LogOptions): void => {
  const { level, write = toStderr } = options
  const toLine = writesText(options) ? formatText : formatJson
  configureSync({
    sinks: { lines: (record) => write(toLine(record)) },
    loggers: [
      { category: 'svc', lowestLevel: level, sinks: ['lines'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: ['lines'] },
    ],
    reset: true,
  })
}

/** @param room for example `worker` */
export const createLogger = (room: string): Logger => {
  const logger = getLogger(['svc', room])
  // LogTape would fill {braces} of a message from the fields; ours are plain sentences, whatever they quote
  const plain = (message: string): string => message.replaceAll('{', '{{').replaceAll('}', '}}')
  const fieldsOf = (fields: LogFields): Record<string, unknown> => redactFields(fields)
  return {
    debug: (message, fields = {}) => {
      if (logger.isEnabledFor('debug')) logger.debug(plain(message), fieldsOf(fields))
    },
    info: (message, fields = {}) => logger.info(plain(message), fieldsOf(fields)),
    warn: (message, fields = {}) => logger.warn(plain(message), fieldsOf(fields)),
    error: (message, fields = {}) => logger.error(plain(message), fieldsOf(fields)),
  }
}
