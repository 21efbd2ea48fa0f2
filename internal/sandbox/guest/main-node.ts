/**
 * Where the guest for Node begins. A program of its own: Deno would load the `node:` modules before anything else, which
 * takes it longer than all the rest of its start.
 */

import { createNodeIo } from './io/node.ts'
import { runGuest } from './runner.ts'

await runGuest(createNodeIo())
