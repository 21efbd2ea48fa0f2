import { expect, test } from 'vitest'
import { findGitFile } from './git-folder.ts'

test.each([
  '.git',
  '.git/config',
  'lib/.GIT/config',
  'lib/.git./HEAD',
  '.git :x/config',
  '.git::$INDEX_ALLOCATION/config',
  'GIT~1/config',
  '.g\u200cit/config',
])('%j belongs to a repository', (path) => {
  expect(findGitFile(['index.ts', path])).toBe(path)
})

test.each([
  [['HEAD', 'config', 'objects/a', 'refs/b'], 'HEAD'],
  [['lib/Head', 'lib/Objects/a', 'lib/refs/b'], 'lib/Head'],
  [['lib/HEAD', 'lib/commondir'], 'lib/HEAD'],
])('files %j are a repository without a folder of its own', (paths, found) => {
  expect(findGitFile(paths)).toBe(found)
})

test.each([
  [['.gitignore', '.gitattributes', 'git/config', 'my.git/a', 'index.ts']],
  [['HEAD', 'refs/a', 'lib/objects/b']],
  [['HEAD.ts', 'objects/a', 'refs/b']],
])('files %j are none', (paths) => {
  expect(findGitFile(paths)).toBeNull()
})
