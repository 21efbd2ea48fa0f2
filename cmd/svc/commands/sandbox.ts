/** `svc __sandbox`: what the binary starts itself as, to run jobs under SVC_SANDBOX=node. */
import type { CommandModule } from 'yargs'
import { createNodeIo } from '#sandbox/guest/io/node.ts'
import { runGuest } from '#sandbox/guest/runner.ts'

export const sandboxCommand: CommandModule = {
  handler: async () => {
    await runGuest(createNodeIo())
  },
}
