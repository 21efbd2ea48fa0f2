/**
 * Where the guest for Node begins. A program of its own: Deno would load the `node:` modules before anything else, which
 * takes it longer than all the rest of its start.
 */
import { runGuest } from './guest.ts'
import { createNodeIo } from './guest-node.ts'

await runGuest(createNodeIo())
