/**
 * Entry point of the guest for Node. It is a separate program, because Deno would load the
 * `node:` modules before anything else, which takes longer than the rest of its start.
 */

import { createNodeIo } from './io/node.ts'
import { runGuest } from './runner.ts'

await runGuest(createNodeIo())
