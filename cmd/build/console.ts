/** `make console`: builds the console into dist/web, for a node that runs from source. */
import process from 'node:process'
import { buildConsole } from './build-console.ts'

const { firstViewBytes, isFresh } = await buildConsole()
const kb = (firstViewBytes / 1_000).toFixed(0)
process.stdout.write(
  `dist/web: the first view takes ${kb} kB${isFresh ? '' : '; it was up to date'}\n`,
)
