/** The source files of the repository, with the figures that `make review` counts in each. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Source = Readonly<{
  /** Relative to the repository's root. */
  path: string
  text: string
  isTest: boolean
  lines: number
  commentLines: number
  exportedFunctions: number
  /** The number of these without a doc comment. */
  undocumentedFunctions: number
}>

const FOLDERS = ['cmd', 'internal', 'sdk', 'web', 'test']
const IS_SOURCE = /\.tsx?$/
const IS_GENERATED = /\.gen\.ts$/
const IS_TEST = /\.test\.tsx?$/
const IS_EXPORTED_FUNCTION =
  /^export (?:async )?(?:function\b|const \w+(?:: [^=]+)? = (?:async )?(?:<[^>]*>)?\()/
const IS_COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/

const readSource = (root: string, path: string): Source => {
  const text = readFileSync(join(root, path), 'utf8')
  const lines = text.split('\n').slice(0, -1)
  const exported = lines.flatMap((line, at) => (IS_EXPORTED_FUNCTION.test(line) ? [at] : []))
  return {
    path,
    text,
    isTest: IS_TEST.test(path),
    lines: lines.length,
    commentLines: lines.filter((line) => IS_COMMENT.test(line)).length,
    exportedFunctions: exported.length,
    undocumentedFunctions: exported.filter((at) => !/\*\/\s*$/.test(lines[at - 1] ?? '')).length,
  }
}

/** Reads the files that git tracks. Leaves out support code under test/ that is not a test. */
export const readSources = (root: string): readonly Source[] =>
  execFileSync('git', ['ls-files', ...FOLDERS], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => IS_SOURCE.test(path) && !IS_GENERATED.test(path))
    .filter((path) => !path.startsWith('test/') || IS_TEST.test(path))
    .map((path) => readSource(root, path))
