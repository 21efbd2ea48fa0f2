/**
 * Splits a SQL script into its statements, without comments. Knows what hides a semicolon: quoted texts and names,
 * comments, and the body of a trigger (BEGIN … END, with CASE … END inside).
 */

/** One piece of SQL that is read as a whole: a comment, a quoted text or name, a word, or one character. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|[\s\S]/g

const TRIGGER = /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i

/** Only a quote that nothing closes is a piece of its own. */
const OPEN_QUOTE = /^['"`[]$/

const isComment = (piece: string): boolean => piece.startsWith('--') || piece.startsWith('/*')

/** How a word changes the depth inside a trigger. */
const depthOf = (piece: string): number => {
  const word = piece.toUpperCase()
  if (word === 'BEGIN' || word === 'CASE') return 1
  return word === 'END' ? -1 : 0
}

const endsWithin = (text: string): Error =>
  new Error(`The script ends within a statement: ${text.trim().slice(0, 80)}`)

/** Lines that held only a comment leave nothing behind. */
const endLine = (text: string): string => {
  const line = text.trimEnd()
  return line === '' ? '' : `${line}\n`
}

/** @throws {Error} the script ends inside a statement or a quoted text */
export const splitStatements = (script: string): readonly string[] => {
  const statements: string[] = []
  let current = ''
  let depth = 0
  for (const piece of script.match(PIECE) ?? []) {
    if (OPEN_QUOTE.test(piece)) throw endsWithin(current + piece)
    if (piece === ';' && depth === 0) {
      statements.push(current.trim())
      current = ''
    } else if (piece === '\n') {
      current = endLine(current)
    } else if (!isComment(piece)) {
      current += piece
      if (TRIGGER.test(current)) depth += depthOf(piece)
    }
  }
  if (current.trim() !== '') throw endsWithin(current)
  return statements.filter((statement) => statement !== '')
}
