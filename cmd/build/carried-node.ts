/** The Node of the binary. */
import { createRequire } from 'node:module'
import process from 'node:process'

/** The pinned Node from npm, because the system's may depend on libraries of that system. */
export const CARRIED_NODE = createRequire(import.meta.url).resolve(
  `node-linux-${process.arch}/bin/node`,
)
