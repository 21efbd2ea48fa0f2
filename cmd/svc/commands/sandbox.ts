/** `svc __sandbox`: the binary starts itself with this command to run jobs under SVC_SANDBOX=node. */
import { createNodeIo } from '#sandbox/guest/io/node.ts'
import { runGuest } from '#sandbox/guest/runner.ts'
import type { Command } from '../command.ts'

export const command: Command = {
  handler: async () => {
    await runGuest(createNodeIo())
  },
}
