/** The first code of a thread of the executable: it runs the thread's program from the binary's assets with V8's code cache. */
import process from 'node:process'
import { requireBuiltin, runChunk } from './run-chunk.ts'
import { threadFile } from './thread-name.ts'

// the last argument, which startThread adds
runChunk(threadFile(process.argv.at(-1) ?? ''), requireBuiltin, { exports: {} })
