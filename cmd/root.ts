import { resolve } from 'node:path'

/** The folder of this repository. The programs that build and release svc run from source, so they may look around themselves. */
export const ROOT = resolve(import.meta.dirname, '..')
