/** `svc start`, and the single roles: runs until it is told to stop. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { type Config, databaseUrlOf } from '#config/config.ts'
import { createLogger } from '#log/logtape.ts'
import { loadCommandConfig } from '../command-config.ts'
import { EXIT } from '../exit.ts'
import { type RunningNode, startNode } from '../node.ts'
import type { Role } from '../roles.ts'
import { VERSION } from '../version.ts'

const SENTENCES: Readonly<Record<Role, string>> = {
  start: 'Run a whole node: server, worker and scheduler in one process',
  server: 'Run the server alone',
  worker: 'Run a worker alone',
  scheduler: 'Run a scheduler alone',
}

const banner = (config: Config, role: Role, node: RunningNode): string => {
  const lines = [
    `svc ${VERSION} (${role})`,
    ...(node.url === null ? [] : [`  API        ${node.url}/api/docs`]),
    `  Database   ${databaseUrlOf(config)}`,
    ...(node.isolation === null
      ? []
      : [
          `  Isolation  level ${node.isolation}, ${config.concurrency} jobs at once, tags ${config.tags.join(', ')}`,
        ]),
    ...(node.url === null ? [] : [signIn(config, node)]),
  ]
  return `${lines.join('\n')}\n`
}

const signIn = (config: Config, { firstAdmin }: RunningNode): string => {
  const dataDir = config.dataDir === './svc-data' ? '' : ` --data-dir ${config.dataDir}`
  const token = `  Token      svc create-token default ${firstAdmin?.email ?? '<email>'}${dataDir}`
  if (!firstAdmin?.generatedPassword) return token
  return `  Sign in    ${firstAdmin.email} with password ${firstAdmin.generatedPassword} (shown this once; kept in ${config.dataDir}/initial-admin.txt)\n${token}`
}

/** Resolves at the first signal; a second one ends the process at once. */
const untilTold = (abort: AbortController): Promise<void> =>
  new Promise((resolve) => {
    let told = false
    const onSignal = (): void => {
      if (told) process.exit(1)
      told = true
      abort.abort()
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  })

const run = async (role: Role, flags: Readonly<Record<string, unknown>>): Promise<void> => {
  const config = loadCommandConfig(flags)
  const abort = new AbortController()
  const told = untilTold(abort)
  let onFailed: (error: Error) => void = () => undefined
  const failed = new Promise<Error>((resolve) => {
    onFailed = resolve
  })
  const options = { role, signal: abort.signal, onFailed }
  const node = await startNode(config, options).catch((error: unknown) => {
    // told to stop while it still waited for its database
    if (abort.signal.aborted) process.exit(0)
    throw error
  })
  process.stderr.write(banner(config, role, node))
  const failure = await Promise.race([told, failed])
  if (failure instanceof Error) createLogger('node').error('The node ends.', { error: failure })
  await node.stop()
  // sockets of callers that keep them open must not hold the process
  process.exit(failure instanceof Error ? EXIT.failed : EXIT.ok)
}

export const roleCommand = (role: Role): CommandModule => ({
  command: role,
  describe: SENTENCES[role],
  handler: (flags) => run(role, flags),
})
