/** Combines the program, its assets and Node into one executable. */
import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { hostArchitecture, platformParts } from './platform-parts.ts'
import { withoutSymbols } from './without-symbols.ts'

/** The mark with which Node detects an injected program (Node.js documentation, Single executable applications). */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const require = createRequire(import.meta.url)
const POSTJECT = require.resolve('postject/dist/cli.js')
const EXECUTABLE = 0o755

export type BinaryParts = Readonly<{
  /** The Node that the binary is made from. */
  node: string
  /** Path of the program, in the folder `work`. */
  program: string
  assets: Readonly<Record<string, string>>
  work: string
  output: string
}>

/** Writes the executable to `output`. @returns its size in bytes */
export const packBinary = ({ node, program, assets, work, output }: BinaryParts): number => {
  // the pinned Node of this machine writes the blob, whatever platform the binary is for
  const tool = platformParts(hostArchitecture()).node
  const blob = join(work, 'svc.blob')
  const settings = join(work, 'sea.json')
  writeFileSync(
    settings,
    JSON.stringify({
      // without its folder, which the blob would contain: it must not depend on where it was made
      main: basename(program),
      output: blob,
      disableExperimentalSEAWarning: true,
      // the chunks have their own caches (code-cache.ts), and this program is too small for one
      useCodeCache: false,
      // otherwise SIGUSR1 opens the inspector, with which every user of the machine can take over the process
      execArgv: ['--disable-sigusr1'],
      assets,
    }),
  )
  execFileSync(tool, ['--experimental-sea-config', settings], {
    cwd: work,
    stdio: 'pipe',
  })
  const draft = join(work, 'svc')
  writeFileSync(draft, withoutSymbols(readFileSync(node)), { mode: EXECUTABLE })
  // postject's warnings about sections of Node are expected, so they are shown only if it fails
  execFileSync(tool, [POSTJECT, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', SENTINEL_FUSE], {
    stdio: 'pipe',
  })
  // renamed into place, because a running svc keeps using the old file
  renameSync(draft, output)
  return statSync(output).size
}
