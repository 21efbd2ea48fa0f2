/** Combines the program, its assets and Node into one executable. */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CARRIED_NODE } from './carried-node.ts'
import { withoutSymbols } from './without-symbols.ts'

/** The mark by which Node detects an injected program (Node.js documentation, Single executable applications). */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const require = createRequire(import.meta.url)
const POSTJECT = require.resolve('postject/dist/cli.js')
const EXECUTABLE = 0o755

export type BinaryParts = Readonly<{
  program: string
  assets: Readonly<Record<string, string>>
  work: string
  output: string
}>

/** Writes the executable to `output`. @returns its size in bytes */
export const packBinary = ({ program, assets, work, output }: BinaryParts): number => {
  const blob = join(work, 'svc.blob')
  const settings = join(work, 'sea.json')
  writeFileSync(
    settings,
    JSON.stringify({
      main: program,
      output: blob,
      disableExperimentalSEAWarning: true,
      // the chunks have theirs (code-cache.ts); this program is too small for one
      useCodeCache: false,
      assets,
    }),
  )
  execFileSync(CARRIED_NODE, ['--experimental-sea-config', settings], { stdio: 'pipe' })
  const draft = join(work, 'svc')
  writeFileSync(draft, withoutSymbols(readFileSync(CARRIED_NODE)), { mode: EXECUTABLE })
  // postject's warnings about sections of Node are expected; they are shown only when it fails
  execFileSync(
    CARRIED_NODE,
    [POSTJECT, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', SENTINEL_FUSE],
    {
      stdio: 'pipe',
    },
  )
  // renamed into place, because a running svc keeps using the old file
  renameSync(draft, output)
  return statSync(output).size
}
