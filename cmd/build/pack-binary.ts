/** Combines the program, its assets and Node into one executable. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'

/** The mark by which Node detects an injected program (Node.js documentation, Single executable applications). */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const require = createRequire(import.meta.url)
const POSTJECT = require.resolve('postject/dist/cli.js')
/** The pinned Node, because the system's may depend on libraries of that system. */
const NODE = require.resolve(`node-linux-${process.arch}/bin/node`)
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
      // V8's code cache would save 20 ms of start but makes builds irreproducible
      useCodeCache: false,
      assets,
    }),
  )
  execFileSync(NODE, ['--experimental-sea-config', settings], { stdio: 'pipe' })
  const draft = join(work, 'svc')
  copyFileSync(NODE, draft)
  chmodSync(draft, EXECUTABLE)
  // postject's warnings about sections of Node are expected; they are shown only when it fails
  execFileSync(NODE, [POSTJECT, draft, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', SENTINEL_FUSE], {
    stdio: 'pipe',
  })
  // renamed into place, because a running svc keeps using the old file
  renameSync(draft, output)
  return statSync(output).size
}
