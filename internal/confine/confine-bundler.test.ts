import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeConfinedBundler } from './confine-bundler.ts'

it('the memory of the bundler is limited on a machine that cannot confine, too', () => {
  const runtimeDir = mkdtempSync(join(tmpdir(), 'svc-bundler-'))
  const path = writeConfinedBundler(() => null, { esbuild: '/bin/sh', runtimeDir })
  const script = 'ulimit -d; echo "$GOMEMLIMIT"; echo "$HOME"'
  expect(execFileSync(path, ['-c', script], { encoding: 'utf8' })).toBe('3000000\n1536MiB\n\n')
  rmSync(runtimeDir, { recursive: true })
})
