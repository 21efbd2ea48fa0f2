/** `svc login [endpoint]`: the device flow (RFC 8628), in which a person confirms on a page in the browser. */
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { DEFAULT_ENDPOINT, saveCredentials } from '#cli-client/credentials.ts'
import { beginLogin, untilGranted } from '#cli-client/device-login.ts'
import type { Command } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { UsageError } from '../exit.ts'
import { coloured, printLine, printProgress } from '../print.ts'

/** @throws {UsageError} the input has ended without an answer */
const askEndpoint = async (): Promise<string> => {
  const input = createInterface({ input: process.stdin, output: process.stderr })
  const ended = once(input, 'close').then(() => null)
  try {
    const question = input.question(`Server endpoint (${DEFAULT_ENDPOINT}): `)
    const answer = await Promise.race([question, ended])
    if (answer !== null) return answer.trim()
    process.stderr.write('\n')
    throw new UsageError('Name the server: svc login https://svc.example.com')
  } finally {
    input.close()
  }
}

const toEndpoint = (typed: string): string => {
  const text = typed === '' ? DEFAULT_ENDPOINT : typed
  const address = text.includes('://') ? text : `http://${text}`
  if (/^https?:/.test(address) && URL.canParse(address)) return new URL(address).origin
  throw new UsageError(`"${typed}" is not the address of a server, such as ${DEFAULT_ENDPOINT}.`)
}

const describe = `Server URL (default: ${DEFAULT_ENDPOINT})`

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('endpoint', { type: 'string', describe })
      // the same text, because yargs keeps one description for both forms
      .option('endpoint', textOption(describe))
      .example('$0 login http://svc.example.com', ''),
  handler: async (flags) => {
    const given = flags.endpoint === undefined ? await askEndpoint() : String(flags.endpoint)
    const endpoint = toEndpoint(given)
    const login = await beginLogin(endpoint)
    printLine(`Open ${coloured('cyan', login.verification_uri_complete)}`)
    printLine(`and confirm the code ${coloured('bold', login.user_code)}.`)
    printProgress('Waiting for your confirmation. Ctrl-C cancels.')
    const { access_token: token, workspace } = await untilGranted({ endpoint, login })
    const path = saveCredentials({ endpoint, token })
    printLine(`Logged in to ${endpoint}, workspace ${workspace}. Saved in ${path}.`)
  },
}
