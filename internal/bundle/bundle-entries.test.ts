import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { bundleEntries } from './bundle-entries.ts'

/** Kills esbuild, which is a child of this process, as code does that overflows its stack. */
const killBundler = (): void => {
  execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-f', '--', '--service='])
}

test('no further entry is bundled after one at which the bundler gave up', async () => {
  // otherwise a deployment could occupy the bundler for a minute with each of its entries
  const paths = Array.from({ length: 17 }, (_, n) => `entry${n}.ts`)
  const source = new TextEncoder().encode(`import './deep.ts'; export const main = () => 1`)
  const files = new Map([...paths, 'deep.ts'].map((path) => [path, source]))
  const read = new Set<string>()
  const lookup = {
    has: (path: string) => files.has(path),
    keys: () => files.keys(),
    get: (path: string) => {
      read.add(path)
      if (path === 'deep.ts') killBundler()
      return files.get(path)
    },
  }
  await expect(bundleEntries(lookup, paths)).rejects.toMatchObject({
    code: 'unbundlable',
    details: [{ path: 'bundle' }],
  })
  expect(read).toContain('entry0.ts')
  expect(read).not.toContain('entry16.ts')
})
