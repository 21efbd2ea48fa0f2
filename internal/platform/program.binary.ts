/**
 * The first code of the executable: it loads the program's chunks when they are needed. A part starts without the
 * command line, which takes longer to load than some parts.
 */
import process from 'node:process'
import { handleEarlySignals } from './early-signals.ts'
import { runPart } from './part.binary.ts'
import { partOf } from './part-name.ts'
import { type Require, requireBuiltin, runChunk } from './run-chunk.ts'

handleEarlySignals(process.argv[2])

const modules = new Map<string, { exports: unknown }>()

const requireChunk: Require = (name) => {
  if (!name.startsWith('./')) return requireBuiltin(name)
  const loaded = modules.get(name)
  if (loaded !== undefined) return loaded.exports
  const module = { exports: {} }
  // register it before it runs, because chunks may require one another
  modules.set(name, module)
  runChunk(name.slice('./'.length), requireChunk, module)
  return module.exports
}

const part = partOf(process.argv[2])
if (part === null) requireChunk('./main.js')
else void runPart(part)
