/** Builds dist/svc for this machine. */
import { join } from 'node:path'
import process from 'node:process'
import { ROOT } from '../root.ts'
import { buildBinaries } from './build-binary.ts'
import { hostArchitecture } from './platform-parts.ts'

const output = join(ROOT, 'dist', 'svc')
const started = performance.now()
const [built] = await buildBinaries([{ arch: hostArchitecture(), output }])
const seconds = ((performance.now() - started) / 1_000).toFixed(1)
process.stdout.write(
  `dist/svc: ${((built?.bytes ?? 0) / 1e6).toFixed(0)} MB, built in ${seconds} s\n`,
)
