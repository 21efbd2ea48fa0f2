import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { leastLongestTurnMs } from '../../test/support/longest-turn.ts'
import { createPackageCache } from './package-cache.ts'

test('a large package is checked against its hash without a long turn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-package-cache-'))
  const bytes = new Uint8Array(96 * MIB)
  const digest = createHash('sha512').update(bytes).digest('base64')
  const wanted = { integrity: { algorithm: 'sha512', digest }, owner: '' } as const
  const cache = createPackageCache({ folder, maxBytes: 1_000_000_000 })
  await cache.keep(wanted, bytes)
  const find = () => cache.find(wanted, () => setImmediate())
  expect((await find())?.length).toBe(bytes.length)
  expect(await leastLongestTurnMs(find)).toBeLessThan(50)
  rmSync(folder, { recursive: true })
})
