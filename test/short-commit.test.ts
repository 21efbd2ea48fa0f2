import { expect, test } from 'vitest'
import { shortCommit } from '#core/deploy/short-commit.ts'
import { shortCommit as inConsole } from '../web/src/ui/short-commit.ts'

test.each([
  ['a git hash', '0123456789abcdef0123456789abcdef01234567'],
  ['the hash of uploaded files', `sha256:${'0123456789abcdef'.repeat(4)}`],
])('%s has 12 characters, in the console too', (_, commit) => {
  expect(shortCommit(commit)).toBe('0123456789ab')
  expect(inConsole(commit)).toBe('0123456789ab')
})
