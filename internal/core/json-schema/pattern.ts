/**
 * `pattern` in linear time: an untrusted expression must never hang the server, as it could with backtracking. What RE2 does
 * not support (look-ahead, back-references) is refused at deploy.
 */
import { RE2JS } from 're2js'

export type Pattern = Readonly<{
  test: (text: string) => boolean
  /** Instructions of the compiled program. */
  size: number
}>

/** @returns a text that describes the fault, if there is one */
export const compilePattern = (source: string): Pattern | string => {
  try {
    const program = RE2JS.compile(RE2JS.translateRegExp(source))
    return { test: (text) => program.test(text), size: program.programSize() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return reason.replace(/^error parsing regexp: /, '')
  }
}
