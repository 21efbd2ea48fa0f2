/** What commands print: tables for people, one JSON document for programs. Colour only on a terminal. */
import process from 'node:process'
import { styleText } from 'node:util'

export const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

export const printJson = (value: unknown): void => printLine(JSON.stringify(value))

/** Of the answer; `NO_COLOR` and pipes are respected. */
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

/** Control sequences take no room on the screen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
const COLOUR = /\u001b\[\d+m/g
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/gu

const widthOf = (text: string): number => {
  const shown = text.replaceAll(COLOUR, '')
  return shown.length + (shown.match(WIDE)?.length ?? 0)
}

/** Columns by their widest cell; the last one runs free. */
export const printTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): void => {
  const all = [heads, ...rows]
  const widths = heads.map((_, at) => Math.max(...all.map((row) => widthOf(row[at] ?? ''))))
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)),
      )
      .join('  ')
  printLine(coloured('dim', lineOf(heads)))
  for (const row of rows) printLine(lineOf(row))
}
