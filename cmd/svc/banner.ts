/**
 * The text that a node prints when it is ready: its address, its database, the confinement of jobs, and how to sign in. A
 * person at a terminal sees lines; otherwise the log gets the same facts as one event.
 */
import { basename, dirname, relative } from 'node:path'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { shownAddress } from '#config/shown-address.ts'
import { type NodeRole, runsServer } from '#core/node-role.ts'
import type { LogFields } from '#log/logger.ts'
import type { RunningNode } from '#node/node.ts'
import { VERSION } from '#node/version.ts'

export type StartFacts = Readonly<{
  config: Config
  role: NodeRole
  node: Omit<RunningNode, 'stop'>
  /** How this program was called, for commands that people copy. */
  program: string
}>

/** A path as a word of a shell command, quoted where needed. */
const quote = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** Folders that every shell searches. */
const SEARCHED = ['/usr/local/bin', '/usr/bin', '/bin']

/**
 * The command for people to copy: `svc`, `dist/svc`, `/opt/bin/svc`, or how to run it from
 * source. @param script second element of argv
 */
export const programOf = (script: string): string => {
  if (script.endsWith('.ts')) return 'npm run --silent svc --'
  // the shell found a name without a folder
  const isFound = !script.includes('/')
  if (isFound || SEARCHED.includes(dirname(script))) return quote(basename(script))
  const near = relative('.', script)
  if (near === '' || near.startsWith('..')) return quote(script)
  return quote(near.includes('/') ? near : `./${near}`)
}

const tokenCommand = ({ config, node, program }: StartFacts): string => {
  const flags = [
    ...(config.dataDir === './svc-data' ? [] : ['--data-dir', quote(config.dataDir)]),
    ...(config.databaseUrl === undefined
      ? []
      : ['--database-url', quote(shownAddress(config.databaseUrl))]),
  ]
  const { workspace, firstAdmin } = node
  const target = [workspace ?? '<workspace>', firstAdmin?.email ?? '<email>']
  return [program, 'create-token', ...target, ...flags].join(' ')
}

/** @returns null without a new administrator. Only this line may contain a password, and it is never logged. */
export const firstSignIn = ({ config, node }: StartFacts): string | null => {
  if (node.firstAdmin === null) return null
  const { email, generatedPassword } = node.firstAdmin
  if (generatedPassword === null) return `${email}, with the password that you chose`
  return `${email} with password ${generatedPassword} (shown only once; also in ${config.dataDir}/initial-admin.txt)`
}

const isolationOf = ({ config, node }: StartFacts): string | null =>
  node.isolation === null
    ? null
    : `level ${node.isolation}, ${config.concurrency} jobs at once, tags ${config.tags.join(', ')}`

export const toBanner = (facts: StartFacts): string => {
  const { config, role, node } = facts
  const rows: readonly (readonly [string, string | null])[] = [
    ['Address', node.url],
    ['Console', node.url === null || !runsServer(role) ? null : `${node.url}/ui/`],
    ['API', node.url === null ? null : `${node.url}/api/docs`],
    ['Database', shownAddress(databaseUrlOf(config))],
    ['Isolation', isolationOf(facts)],
    ['Sign in', firstSignIn(facts)],
    ['Token', node.url === null ? null : tokenCommand(facts)],
  ]
  const lines = rows.flatMap(([name, text]) =>
    text === null ? [] : [`  ${name.padEnd(10)} ${text}`],
  )
  return `${[`svc ${VERSION} (${role})`, ...lines].join('\n')}\n`
}

/** The facts of the banner without passwords. */
export const toStartEvent = (facts: StartFacts): LogFields => {
  const { config, role, node } = facts
  return {
    version: VERSION,
    role,
    ...(node.url === null ? {} : { url: node.url, sign_in: tokenCommand(facts) }),
    database: shownAddress(databaseUrlOf(config)),
    ...(node.isolation === null
      ? {}
      : { isolation: node.isolation, concurrency: config.concurrency, worker_tags: config.tags }),
  }
}
