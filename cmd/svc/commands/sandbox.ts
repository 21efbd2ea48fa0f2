/** `svc __sandbox`: what the binary starts itself as, to run jobs under SVC_SANDBOX=node. */
import type { CommandModule } from 'yargs'
import { runGuest } from '#sandbox/guest.ts'
import { createNodeIo } from '#sandbox/guest-node.ts'

export const sandboxCommand: CommandModule = {
  handler: async () => {
    await runGuest(createNodeIo())
  },
}
