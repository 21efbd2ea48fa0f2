/**
 * The log on LogTape, to stderr: JSON lines, or text for people.
 *
 * It guarantees: a field whose name looks like a secret is masked at any depth; an error keeps its stack and its cause; each
 * entry is one line, below which the text form indents the stack, so that no value can forge an entry or command a terminal.
 * It does not handle the output of jobs, which is data (service/queue/job-log.ts).
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
  /** Whether stderr is a terminal. @default detected */
  isTerminal?: boolean
  /** @default stderr */
  write?: (line: string) => void
}>

const formatJson = getJsonLinesFormatter()
const formatMessage = getTextFormatter({ timestamp: 'time', level: 'ABBR', category: '.' })

const toText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)

const CONTROLS = /\p{Cc}+/gu

/** Returns a text without characters that begin a line or command a terminal; JSON escapes only some of them. */
const toLine = (text: string): string => text.trimEnd().replaceAll(CONTROLS, ' ')

/** The lines of a stack are indented, because its message may have the form of an entry. */
const formatText = (record: LogRecord): string => {
  const { stack, ...fields } = record.properties
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${toText(value)}`)
  const below = typeof stack === 'string' ? stack.split('\n').map((each) => `  ${each}`) : []
  const lines = [[formatMessage(record).trimEnd(), ...shown].join(' '), ...below]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

/** What may wait in memory while the pipe to which stderr leads is not read, bytes. */
const MAX_WAITING_BYTES = 4_194_304

type LineTarget = Readonly<{ writableLength: number; write: (line: string) => unknown }>

/**
 * Returns a function that writes lines, and drops them while too much waits. The next line that has room is preceded by
 * `describeDropped` with their number.
 */
export const createLineWriter = (
  target: LineTarget,
  describeDropped: (lines: number) => string,
): ((line: string) => void) => {
  let dropped = 0
  return (line) => {
    if (target.writableLength > MAX_WAITING_BYTES) {
      dropped += 1
      return
    }
    if (dropped > 0) target.write(describeDropped(dropped))
    dropped = 0
    target.write(line)
  }
}

const toDroppedRecord = (lines: number): LogRecord => {
  const text = 'Lines of the log were dropped, because stderr was not read.'
  return {
    category: ['svc', 'log'],
    level: 'warning',
    message: [text],
    rawMessage: text,
    timestamp: Date.now(),
    properties: { lines },
  }
}

/** Returns whether the log is text rather than JSON lines. */
export const writesText = ({
  format,
  isTerminal = process.stderr.isTTY === true,
}: Pick<LogOptions, 'format' | 'isTerminal'>): boolean =>
  format === 'text' || (format === 'auto' && isTerminal)

/** Configures the log of this process; call it once before loggers are used. */
export const configureLog = (options: LogOptions): void => {
  const format = writesText(options) ? formatText : formatJson
  const describeDropped = (lines: number): string => format(toDroppedRecord(lines))
  const { level, write = createLineWriter(process.stderr, describeDropped) } = options
  configureSync({
    sinks: { lines: (record) => write(format(record)) },
    loggers: [
      { category: 'svc', lowestLevel: level, sinks: ['lines'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: ['lines'] },
    ],
    reset: true,
  })
}

/** Creates a logger. @param room its category, for example `worker` */
export const createLogger = (room: string): Logger => {
  const logger = getLogger(['svc', room])
  // LogTape would replace {braces} in a message with fields; our messages are plain text, whatever they quote
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
