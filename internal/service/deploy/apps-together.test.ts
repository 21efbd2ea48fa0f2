import { expect, test } from 'vitest'
import { MIB } from '#core/byte-units.ts'
import { countTogether } from './apps-together.ts'

const appOf = (source: number, bundle: number) => ({
  sources: new Map([['data.bin', new Uint8Array(source)]]),
  entries: [{ packedBytes: bundle }],
  functions: [{ entry: { packedBytes: bundle } }],
})

test('apps that are deployed together have a limit for their files and bundles', () => {
  const count = countTogether()
  for (let at = 0; at < 4; at += 1) count(appOf(20 * MIB, 22 * MIB))
  expect(() => count(appOf(1, 0))).toThrow('Push fewer branches')
})
