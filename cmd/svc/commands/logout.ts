/** `svc logout`: ends the token of `svc login` at the server, and removes it from this machine. */
import { createClient } from '#cli-client/client.ts'
import { forgetCredentials } from '#cli-client/credentials.ts'
import { AppError } from '#core/error.ts'
import type { Command } from '../command.ts'
import { printLine } from '../print.ts'

export const command: Command = {
  builder: (yargs) => yargs.example('$0 logout', ''),
  handler: async () => {
    const saved = forgetCredentials()
    if (saved === null) return printLine('Not logged in.')
    try {
      await createClient(saved).fetch('/api/auth/logout', { method: 'POST' })
      printLine(`Logged out of ${saved.endpoint}. The token is revoked.`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // a token that is no longer valid need not be revoked
      const rest = error.kind === 'unauthenticated' ? '' : ` It still works there: ${error.message}`
      printLine(`Removed the token of ${saved.endpoint} from this machine.${rest}`)
    }
  },
}
