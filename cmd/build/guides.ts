/** `make guides`: builds the guides into dist/docs, for a node that runs from source. */
import process from 'node:process'
import { buildGuides } from './guides/build-guides.ts'

const { facts, isFresh } = await buildGuides()
const kb = ((facts.bytes ?? 0) / 1_000).toFixed(0)
process.stdout.write(
  `dist/docs: ${facts.pages} pages, ${kb} kB${isFresh ? '' : '; they were up to date'}\n`,
)
