import { expect, test } from 'vitest'
import { releaseChangelog } from './changelog.ts'

const INTRO = '# Changelog\n\nText.\n\n'
const RELEASE = { version: '0.2.0', date: '2026-11-23' }

test('fragments become items under the headings of their kinds, in the order of the kinds', () => {
  const fragments = [
    { name: 'b.fixed.md', text: 'Repaired b.\n' },
    { name: 'a.added.md', text: 'Added a,\nwhich is long.\n' },
  ]
  expect(releaseChangelog(`${INTRO}## [Unreleased]\n`, fragments, RELEASE)).toBe(
    `${INTRO}## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- Added a,\n  which is long.\n\n### Fixed\n\n- Repaired b.\n`,
  )
})

test('text under [Unreleased] moves with the fragments, and older releases stay', () => {
  const before = `${INTRO}## [Unreleased]\n\n### Added\n\n- Old.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n`
  const after = releaseChangelog(before, [{ name: 'n.added.md', text: 'New.' }], RELEASE)
  expect(after).toBe(
    `${INTRO}## [Unreleased]\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- Old.\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- First.\n`,
  )
})

test.each([
  ['a fragment without a kind', [{ name: 'x.md', text: 'X.' }], 'changes.d/x.md has no kind'],
  ['a fragment of an unknown kind', [{ name: 'x.new.md', text: 'X.' }], 'added, changed'],
  ['no fragment', [], 'Nothing has changed'],
])('%s is refused', (_, fragments, message) => {
  expect(() => releaseChangelog(`${INTRO}## [Unreleased]\n`, fragments, RELEASE)).toThrow(message)
})

test('a version that is released already is refused', () => {
  const before = `${INTRO}## [Unreleased]\n\n## [0.2.0] - 2026-01-01\n`
  expect(() => releaseChangelog(before, [{ name: 'n.added.md', text: 'New.' }], RELEASE)).toThrow(
    'already',
  )
})

test('links of fragments lead from the folder of the changelog', () => {
  const fragments = [{ name: 'a.added.md', text: 'Added a ([a](../docs/a.md)).' }]
  expect(releaseChangelog(`${INTRO}## [Unreleased]\n`, fragments, RELEASE)).toContain(
    '([a](docs/a.md))',
  )
})
