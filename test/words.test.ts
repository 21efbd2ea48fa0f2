/** Comments, summaries and messages use the words of docs/glossary.md (AGENTS.md). */
import { describe, expect, it } from 'vitest'
import { readSources } from './review/sources.ts'
import { readableParts, WORDS } from './review/words.ts'
import { ROOT } from './support/repository.ts'

/** Every folder with source. In test/, only the tests count. */
const FOLDERS: readonly string[] = ['cmd', 'internal', 'sdk', 'test', 'web']
/** It contains the old words to show that the check finds them. */
const SELF = 'test/words.test.ts'

const faultsIn = (text: string): readonly string[] =>
  readableParts(text).flatMap((part) =>
    WORDS.filter(({ pattern }) => part.match(pattern) !== null).map(
      ({ word, say }) => `"${word}", say ${say}: ${part.trim()}`,
    ),
  )

describe('comments and texts', () => {
  it.each(FOLDERS)('of %s use the words of the glossary', (folder) => {
    const faults = readSources(ROOT)
      .filter(({ path }) => path.startsWith(`${folder}/`) && path !== SELF)
      .flatMap(({ path, text }) => faultsIn(text).map((fault) => `${path}: ${fault}`))
    expect(faults).toEqual([])
  })

  it('are found by the check, in comments and in texts, and SQL is left alone', () => {
    expect(faultsIn("// Nobody is told.\nconst a = 'Whoever asks'\n")).toHaveLength(3)
    expect(faultsIn('const a = `SELECT told FROM nobody`\nconst told = 1\n')).toEqual([])
    expect(faultsIn("const told = ['a', told, 'b']\n")).toEqual([])
    expect(faultsIn("// it's one\nconst a = 'not told'\n")).toHaveLength(1)
  })
})
