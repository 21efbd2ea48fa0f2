/** Maps git's stderr to a message that callers may see: it has no addresses, paths or text of the remote. */
import { AppError } from '#core/error.ts'
import type { GitOutcome } from './run-git.ts'

/** Also the reason for a local path that is missing. */
export const NO_REPOSITORY =
  'there is no repository at this address, or none that these credentials may see'

const NO_ANSWER = 'it did not answer in time'

const SENTENCES: readonly (readonly [said: RegExp, reason: string])[] = [
  [
    /no space left on device|disk quota exceeded/i,
    'the temporary folder of the server is full, and an operator has to free some space there',
  ],
  // ssh goes on without the key, so a refusal by the remote follows
  [/^load key "/im, 'ssh cannot read `auth.private_key`, which must be a whole private key'],
  [
    /could not read (?:username|password)|authentication failed|permission denied|returned error: 40[13]/i,
    'it asks for credentials, or does not accept those in `auth`',
  ],
  [
    /returned error: (?:404|410)|repository .*not found|does not appear to be a git repository|not valid: is this a git/i,
    NO_REPOSITORY,
  ],
  [/could not resolve host|name or service not known/i, 'its host name does not resolve'],
  [/certificate|ssl|tls/i, 'its TLS certificate could not be verified'],
  [/host key/i, 'its ssh host key is not the one in `auth.known_hosts`'],
  [
    /connection refused|couldn't connect|unable to connect|connection timed out|could not connect|no route to host/i,
    'it does not accept connections',
  ],
  [
    /attempting to allocate|out of memory/i,
    'it has an object, or a list of branches, that is larger than svc accepts',
  ],
  // curl prints it when a server sends next to nothing for 20 s; the last line of git names index-pack then
  [/operation too slow/i, NO_ANSWER],
  [/returned error: 3\d\d/i, 'it redirects to another address; use that one'],
  // git prints the line ERR of a git:// server after these words
  [/remote error:/i, 'its server does not serve this repository'],
]

const STOPPED: Readonly<Partial<Record<NonNullable<GitOutcome['stopped']>, string>>> = {
  time: NO_ANSWER,
  signal: 'svc is stopping',
  output: 'its answer is larger than svc accepts',
}
const NO_REASON = 'git gave no reason'

/** The reasons that svc words itself, for the console's translation. */
export const REASONS: readonly string[] = [
  ...SENTENCES.map(([, reason]) => reason),
  ...Object.values(STOPPED),
  NO_REASON,
]

/** Returns the reason of a failed run; it follows "could not be fetched:". */
export const explainFailure = ({ stderr, stopped }: GitOutcome): string => {
  const known = stopped === null ? undefined : STOPPED[stopped]
  const reason = known ?? SENTENCES.find(([said]) => said.test(stderr))?.[1]
  if (reason !== undefined) return reason
  const line = stderr
    .split('\n')
    .filter((text) => /^(?:fatal|error):/.test(text))
    .at(-1)
  return line === undefined ? NO_REASON : hideAddresses(line)
}

const hideAddresses = (line: string): string =>
  line
    .replace(/\S+:\/\/\S+/g, 'the address')
    .replace(/'[^']*'?/g, 'it')
    .replace(/(?:^|\s)\/\S+/g, ' a path')
    .slice(0, 300)

/** Creates the error for a sync whose remote does not answer, `git_unreachable`. */
export const unreachable = (reason: string, cause?: unknown): AppError =>
  new AppError('bad_gateway', `The git source could not be fetched: ${reason}.`, {
    code: 'git_unreachable',
    cause,
  })
