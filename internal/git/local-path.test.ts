/** Which folders SVC_GIT_LOCAL_ROOTS opens. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveLocalPath } from './local-path.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-local-path-')))
const repository = join(root, 'app')
mkdirSync(repository)
afterAll(() => rmSync(root, { recursive: true }))

test('a missing root does not close the others', () => {
  const roots = [join(root, 'missing'), root]
  expect(resolveLocalPath(repository, roots)).toBe(repository)
  expect(() => resolveLocalPath(join(root, 'gone'), roots)).toThrow('there is no repository')
})

test('a path below none of the roots is refused, whether it exists or not', () => {
  for (const path of [root, '/nowhere/app']) {
    expect(() => resolveLocalPath(path, [join(root, 'missing'), repository])).toThrow(
      'does not exist or is not below a folder in SVC_GIT_LOCAL_ROOTS',
    )
  }
})
