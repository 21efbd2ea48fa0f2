/** `svc login [endpoint]`: the device flow (RFC 8628), with a page in the browser on which a person confirms. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandModule } from 'yargs'
import { z } from 'zod'
import { DEFAULT_ENDPOINT, saveCredentials } from '#cli-client/credentials.ts'
import { AppError, unavailable } from '#core/error.ts'
import { UsageError } from '../exit.ts'
import { coloured, printLine } from '../print.ts'

const begun = z.looseObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
})
const granted = z.looseObject({ access_token: z.string(), workspace: z.string() })
const refused = z.looseObject({ error: z.string() })

const askEndpoint = async (): Promise<string> => {
  const input = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await input.question(`Server endpoint (${DEFAULT_ENDPOINT}): `)
    return answer.trim()
  } catch {
    // the input ended
    return ''
  } finally {
    input.close()
  }
}

const toEndpoint = (typed: string): string => {
  const text = typed === '' ? DEFAULT_ENDPOINT : typed
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (URL.canParse(address)) return new URL(address).origin
  throw new UsageError(`"${typed}" is no address of a server, such as ${DEFAULT_ENDPOINT}.`)
}

const post = async (endpoint: string, path: string, fields: Readonly<Record<string, string>>) => {
  try {
    const response = await fetch(`${endpoint}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    const answer: unknown = await response.json()
    return { isOk: response.ok, answer }
  } catch (cause) {
    throw unavailable(`${endpoint} does not answer as svc does. Is it the right address?`, {
      cause,
    })
  }
}

const SLOWER_S = 5
const ENDINGS: Readonly<Record<string, string>> = {
  expired_token: 'Nobody confirmed in time. Run `svc login` again.',
  access_denied: 'The login was denied in the browser.',
}

type Waiting = Readonly<{ endpoint: string; login: z.infer<typeof begun> }>

/** @throws {AppError} the login was denied, or not confirmed in time */
const untilGranted = async ({ endpoint, login }: Waiting) => {
  let intervalS = login.interval
  for (;;) {
    await sleep(intervalS * 1_000)
    const { isOk, answer } = await post(endpoint, '/api/auth/device/token', {
      device_code: login.device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    })
    if (isOk) return granted.parse(answer)
    const { error } = refused.parse(answer)
    if (error === 'slow_down') intervalS += SLOWER_S
    else if (error !== 'authorization_pending') {
      throw new AppError('forbidden', ENDINGS[error] ?? `The server refused: ${error}.`)
    }
  }
}

export const loginCommand: CommandModule = {
  command: 'login [endpoint]',
  describe: 'Log in to a server by your browser',
  builder: (yargs) =>
    yargs
      .positional('endpoint', {
        type: 'string',
        describe: `The server. Default ${DEFAULT_ENDPOINT}`,
      })
      .option('endpoint', { type: 'string', requiresArg: true, describe: 'The same' })
      .example('$0 login http://svc.example.com', ''),
  handler: async (flags) => {
    const given = flags.endpoint === undefined ? await askEndpoint() : String(flags.endpoint)
    const endpoint = toEndpoint(given)
    const { isOk, answer } = await post(endpoint, '/api/auth/device/code', { client_id: 'svc-cli' })
    const started = begun.safeParse(answer)
    if (!isOk || !started.success) {
      throw new AppError('unavailable', `${endpoint} gives no device login. Is it svc?`)
    }
    const login = started.data
    printLine(`Open ${coloured('cyan', login.verification_uri_complete)}`)
    printLine(`and confirm the code ${coloured('bold', login.user_code)}.`)
    const { access_token: token, workspace } = await untilGranted({ endpoint, login })
    const path = saveCredentials({ endpoint, token })
    printLine(`Logged in to ${endpoint}, workspace ${workspace}. Saved in ${path}.`)
  },
}
