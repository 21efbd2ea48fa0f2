/**
 * Splits a SQL script into statements without comments. It recognizes semicolons that do not end a statement: in quoted texts
 * and names, in comments, and in the body of a trigger (BEGIN … END, with CASE … END inside).
 */

/** Matches one piece of SQL: a comment, a quoted text or name, a word, or one character. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\w+|[\s\S]/g

const TRIGGER = /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b/i

/** A quote that forms a piece alone has no closing quote. */
const OPEN_QUOTE = /^['"`[]$/

const isComment = (piece: string): boolean => piece.startsWith('--') || piece.startsWith('/*')

/** Returns how a word changes the nesting depth inside a trigger. */
const depthOf = (piece: string): number => {
  const word = piece.toUpperCase()
  if (word === 'BEGIN' || word === 'CASE') return 1
  return word === 'END' ? -1 : 0
}

const endsWithin = (text: string): Error =>
  new Error(`The script ends within a statement: ${text.trim().slice(0, 80)}`)

/** Ends a line; lines that contained only a comment are removed. */
const endLine = (text: string): string => {
  const line = text.trimEnd()
  return line === '' ? '' : `${line}\n`
}

/** Splits a script. @throws {Error} it ends inside a statement or a quoted text */
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
