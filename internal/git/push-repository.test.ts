import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prepareEmptyRepository } from './push-repository.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-push-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a full disk refuses a push until there is room again', async () => {
  const said = 'error: unable to write symref for HEAD: No space left on device'
  writeFileSync(join(root, 'git'), `#!/bin/sh\necho "${said}" >&2; exit 128\n`, { mode: 0o700 })
  const folder = { root, maxBytes: 1, path: `${root}:/bin:/usr/bin` }
  await expect(prepareEmptyRepository(folder)).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('disk of this server is full'),
  })
})
