/** Prints the output of commands: tables for people, one JSON document for programs. Colour is used only on a terminal. */
import process from 'node:process'
import { stripVTControlCharacters, styleText } from 'node:util'
import { CommandFailed } from './exit.ts'

/** Matches colours, and the control characters that move the cursor or command a terminal; not line feeds and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROLS = /\u001b\[[\d;:]*m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Returns a text of a job or its caller as a terminal may show it: with its colours, and without what would change other lines,
 * the title or the clipboard. Programs get the text as it is.
 */
export const forTerminal = (text: string, { isTTY }: Readonly<{ isTTY: boolean }>): string =>
  isTTY ? text.replaceAll(CONTROLS, (found) => (found.length > 1 ? found : '')) : text

/** The beginning of a colour at the end of a text. The longest colour has few numbers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CUT_COLOUR = /\u001b(?:\[[\d;:]{0,40})?$/

type Printer = Readonly<{ isTTY: boolean; write: (text: string) => unknown }>

/** A colour that two texts divide, such as two events of a log, waits for its second part. */
const cutColours = new WeakMap<Printer, string>()

/** Writes a text that svc did not make. */
export const printText = (text: string, stream: Printer = process.stdout): void => {
  if (!stream.isTTY) return void stream.write(text)
  const whole = `${cutColours.get(stream) ?? ''}${text}`
  const [cut = ''] = CUT_COLOUR.exec(whole) ?? []
  cutColours.set(stream, cut)
  stream.write(forTerminal(whole.slice(0, whole.length - cut.length), stream))
}

export const printLine = (text: string): void => printText(`${text}\n`)

/** Columns of a line that the terminal does not wrap. */
export const progressColumns = (): number => (process.stderr.columns || 80) - 1

/**
 * Replaces the line of progress on standard error, only at a terminal. An empty text removes it. A text that is too long is cut,
 * because a wrapped line would remain.
 */
export const showProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, progressColumns())}`)
}

/** Prints a line of progress on standard error, only at a terminal [functions 15.7]. */
export const printProgress = (line: string): void => {
  if (process.stderr.isTTY) printText(`${coloured('dim', line)}\n`, process.stderr)
}

export const printJson = (value: unknown): void => printLine(JSON.stringify(value))

/** Whether standard output supports colours; it respects `NO_COLOR` and pipes. */
const hasColour = (): boolean => process.stdout.isTTY && process.stdout.hasColors()

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export const coloured = (colour: Colour, text: string): string =>
  hasColour() ? styleText(colour, text) : text

const STATUS_COLOURS: Readonly<Record<string, Colour>> = {
  success: 'green',
  completed: 'green',
  failure: 'red',
  failed: 'red',
  running: 'cyan',
  waiting_approval: 'yellow',
  queued: 'yellow',
  canceled: 'dim',
}

export const statusText = (status: string): string =>
  coloured(STATUS_COLOURS[status] ?? 'dim', status)

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/gu

const widthOf = (text: string): number => {
  const shown = stripVTControlCharacters(text)
  return shown.length + (shown.match(WIDE)?.length ?? 0)
}

/** The value of a cell; null is shown as a dash. */
type Cell = string | number | null

/** The columns of a table by heading, from left to right. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** Pads each column to its widest cell, except the last one. */
export const tableLines = <Row>(columns: Columns<Row>, rows: readonly Row[]): readonly string[] => {
  const cells = Object.values(columns)
  const heads = Object.keys(columns)
  const lines = rows.map((row) => cells.map((cellOf) => String(cellOf(row) ?? '–')))
  const widths = heads.map((_, at) =>
    Math.max(...[heads, ...lines].map((line) => widthOf(line[at] ?? ''))),
  )
  const lineOf = (line: readonly string[]): string =>
    line
      .map((cell, at) =>
        at === line.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join('  ')
  return [coloured('dim', lineOf(heads)), ...lines.map(lineOf)]
}

export const printTable = <Row>(columns: Columns<Row>, rows: readonly Row[]): void => {
  for (const line of tableLines(columns, rows)) printLine(line)
}

export type Flags = Readonly<Record<string, unknown>>

export const jsonOption = { type: 'boolean', default: false, describe: 'Print JSON' } as const

/** Prints one JSON document if `--json` was given, else calls `print`, which writes text for people. */
export const printAnswer = (flags: Flags, json: unknown, print: () => void): void => {
  if (flags.json === true) printJson(json)
  else print()
}

/** Names the command that shows more of what has failed, if a person reads. @throws {CommandFailed} always */
export const endFailed = (flags: Flags, command: string): never => {
  if (flags.json !== true) {
    printText(`${coloured('dim', `See more: ${command}`)}\n`, process.stderr)
  }
  throw new CommandFailed()
}
