/** `svc __sandbox`: what the binary starts itself as, to run jobs under SVC_SANDBOX=node. */
import { createNodeIo } from '#sandbox/guest/io/node.ts'
import { runGuest } from '#sandbox/guest/runner.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  handler: async () => {
    await runGuest(createNodeIo())
  },
}
