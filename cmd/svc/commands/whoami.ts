/** `svc whoami`: shows the server, the workspace and the permissions that commands use. */
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { addUsage, type Command } from '../command.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'

const identity = z.looseObject({
  kind: z.string(),
  email: z.string().optional(),
  workspace: z.string().optional(),
  scopes: z.array(z.string()).optional(),
})

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, { flags: { json: jsonOption }, examples: [['$0 whoami --json', '']] }),
  handler: async (flags) => {
    const client = createClient()
    const found = await client.read(identity, '/api/auth/me')
    printAnswer(flags, { endpoint: client.endpoint, ...found }, () => {
      const { kind, email = kind, workspace = '–', scopes = [] } = found
      printLine(`${email} at ${client.endpoint}, workspace ${workspace}`)
      printLine(scopes.length === 0 ? 'No scopes.' : `Scopes: ${scopes.join(' ')}`)
    })
  },
}
