/** Comments, summaries and messages use the words of docs/glossary.md (AGENTS.md). */
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources } from './review/sources.ts'
import { readableParts, WORDS } from './review/words.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** Folders in which every sentence has been rewritten; what is not listed is still to be done. */
const DONE: readonly string[] = [
  'cmd/build',
  'internal/bundle',
  'internal/bus',
  'internal/config',
  'internal/crypto',
  'internal/git',
  'internal/log',
  'internal/metrics',
  'internal/outbound',
  'internal/platform',
  'internal/scheduler',
  'internal/service/functions',
  'internal/service/relay',
  'internal/worker',
  'sdk',
]

const faultsIn = (text: string): readonly string[] =>
  readableParts(text).flatMap((part) =>
    WORDS.filter(({ pattern }) => part.match(pattern) !== null).map(
      ({ word, say }) => `"${word}", say ${say}: ${part.trim()}`,
    ),
  )

describe('comments and texts', () => {
  it.each(DONE)('of %s use the words of the glossary', (folder) => {
    const faults = readSources(ROOT)
      .filter(({ path, isTest }) => path.startsWith(`${folder}/`) && !isTest)
      .flatMap(({ path, text }) => faultsIn(text).map((fault) => `${path}: ${fault}`))
    expect(faults).toEqual([])
  })

  it('are found by the check, in comments and in texts, and SQL is left alone', () => {
    expect(faultsIn("// Nobody is told.\nconst a = 'Whoever asks'\n")).toHaveLength(3)
    expect(faultsIn('const a = `SELECT told FROM nobody`\nconst told = 1\n')).toEqual([])
  })
})
