/** Turns a server's refusal into a message for a person at a terminal: what happened, and which command helps. */
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import type { Answer } from './exchange.ts'

const refusal = z.looseObject({
  error: z.string(),
  code: z.string().optional(),
  details: z.array(z.looseObject({ path: z.string(), message: z.string() })).default([]),
})
type Detail = z.output<typeof refusal>['details'][number]

const KINDS = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
} as const
const isKnown = (status: number): status is keyof typeof KINDS => Object.hasOwn(KINDS, status)

const BY_CODE: Readonly<Record<string, string>> = {
  app_not_found: '`svc apps` lists the apps.',
  deployment_not_found: '`svc apps history <app>` lists the deployments.',
  flow_not_found: '`svc flows` lists the flows.',
  webhook_not_found: '`svc webhooks` lists the webhooks.',
  delivery_not_found: '`svc webhooks deliveries <webhook>` lists the deliveries.',
  missing_scope: 'Use a token that holds it: `svc login`, or SVC_TOKEN.',
}

/** Commands that list the things of which one was not found, by the noun that begins the message of a `not_found` error. */
const LISTS: Readonly<Record<string, string>> = {
  Job: '`svc jobs` lists the jobs.',
  'Flow run': '`svc flows runs` lists the flow runs.',
  Operation: '`svc jobs operations` lists the operations.',
  Schedule: '`svc schedules` lists the schedules.',
  Variable: '`svc variables` lists the variables.',
  Token: '`svc tokens` lists the tokens.',
  'Git source': '`svc git` lists the git sources.',
}

/** The command with which the person can look up what the server did not find. */
const nextStep = (error: string, code: string | undefined): string | undefined => {
  if (code === 'action_not_found') {
    const app = / of app "([^"]*)"/.exec(error)?.[1] ?? '<app>'
    return `\`svc apps actions ${app}\` lists its actions, and \`svc flows\` the flows.`
  }
  if (code !== 'not_found') return code === undefined ? undefined : BY_CODE[code]
  const noun = /^(.+?)(?: "[^"]*")? not found\.$/.exec(error)?.[1] ?? ''
  return LISTS[noun]
}

/** The server's message for an address that it does not have. */
const NO_ROUTE = 'There is nothing here.'
const ANY_SHAPE = /^The (path|query|body) of the request is not valid\.$/

/** Removes the part of the request, because a person at a terminal has not written a body. */
const fieldOf = ({ path }: Detail): string => path.replace(/^(body|query|params)\./, '')

const ended = (text: string): string => text.replace(/\.$/, '')

const linesOf = (error: string, details: readonly Detail[]): readonly string[] =>
  details
    // omit details that the message contains already
    .filter(({ message }) => !error.includes(ended(message)))
    .map((detail) => `  ${fieldOf(detail)}: ${detail.message}`)

/** Statuses of a proxy that does not reach the server behind it. */
const AWAY_STATUSES: readonly number[] = [502, 503, 504]

/** The sentence for an answer that is not of svc: a proxy in front of it answers in its own form. */
const foreignAnswer = (status: number): string => {
  if (AWAY_STATUSES.includes(status)) {
    return `A proxy answers HTTP ${status}, because it does not reach svc. Is svc running behind it? SVC_URL or \`svc login\` names another server.`
  }
  return status === 413
    ? 'A proxy in front of svc refuses a request of this size: HTTP 413. Raise its limit, such as client_max_body_size of nginx.'
    : `What answers there is not svc: HTTP ${status}. Check SVC_URL, or \`svc login\` again.`
}

/**
 * @param answer with a status that is not a success
 * @param hint a sentence about what the person probably meant
 */
export const refusalOf = ({ status, text }: Answer, hint?: string): AppError => {
  if (status === 401) {
    return new AppError(
      'unauthenticated',
      'Unauthorized - invalid or expired token. Run `svc login` again, or check SVC_TOKEN.',
    )
  }
  const kind = isKnown(status) ? KINDS[status] : 'internal'
  const parsed = refusal.safeParse(parseJsonOrNull(text))
  if (!parsed.success) {
    return new AppError(kind, foreignAnswer(status))
  }
  const { error, code, details } = parsed.data
  if (error.startsWith(NO_ROUTE)) {
    return new AppError(
      kind,
      'This svc has no such route. Check SVC_URL, which has no path. If it is right, server (`svc status`) and command line (`svc --version`) are of different versions: `svc upgrade` replaces the older one.',
    )
  }
  const sentence = ANY_SHAPE.test(error) ? 'The server did not accept a value:' : error
  const next = nextStep(error, code)
  const first = [sentence, hint, next].filter((each) => each !== undefined).join(' ')
  const options = code === undefined ? {} : { code }
  return new AppError(kind, [first, ...linesOf(error, details)].join('\n'), options)
}
