/** `svc start`, and the commands for single roles: run until a signal stops them. */
import process from 'node:process'
import type { NodeRole } from '#core/node-role.ts'
import { createLogger, writesText } from '#log/logtape.ts'
import { watchLaunchers } from '#node/launchers.ts'
import { beginSandbox } from '#node/open-sandbox.ts'
import { hasTerminal, takeOver } from '#platform/early-signals.ts'
import { closeInheritedFiles } from '#platform/inherited-files.ts'
import { firstSignIn, programOf, type StartFacts, toBanner, toStartEvent } from '../banner.ts'
import { addUsage, type Command } from '../command.ts'
import { loadCommandConfig } from '../command-config.ts'
import { EXIT } from '../exit.ts'

const EXAMPLES: Readonly<Record<NodeRole, readonly (readonly [line: string, what: string])[]>> = {
  start: [
    ['$0 start', 'Run everything here, with data in ./svc-data'],
    [
      '$0 start --host 0.0.0.0 --port 8080 --data-dir /var/lib/svc',
      'Accept connections from other machines',
    ],
  ],
  server: [['$0 server --database-url http://db:8080', 'Serve requests without running jobs']],
  worker: [
    ['$0 worker --database-url http://db:8080', 'Run jobs with the tag default'],
    [
      '$0 worker --database-url http://db:8080 --tags gpu --concurrency 2',
      'Run only jobs with the tag gpu, two at once',
    ],
  ],
  scheduler: [
    [
      '$0 scheduler --database-url http://db:8080',
      'Fire schedules and recover the jobs of lost workers',
    ],
  ],
}

const announce = (facts: StartFacts): void => {
  if (writesText({ format: facts.config.logFormat })) {
    process.stderr.write(toBanner(facts))
    return
  }
  createLogger('node').info('The node is ready.', toStartEvent(facts))
  const signIn = firstSignIn(facts)
  if (signIn !== null) process.stderr.write(`Sign in as ${signIn}\n`)
}

/**
 * Resolves at the first signal; a second one ends the process at once. SIGHUP counts only at a terminal, because Node forgets
 * that nohup ignores it, and rotations of logs send it too.
 */
const untilSignal = (abort: AbortController, graceS: number): Promise<void> =>
  new Promise((resolve) => {
    const onSignal = (name: string): void => {
      if (abort.signal.aborted) process.exit(1)
      createLogger('node').info(
        `Stopping: running jobs have ${graceS} s to end. A second signal stops at once.`,
        { signal: name },
      )
      abort.abort()
      resolve()
    }
    takeOver('SIGTERM', onSignal)
    takeOver('SIGINT', onSignal)
    takeOver('SIGHUP', hasTerminal() ? onSignal : () => undefined)
    watchLaunchers(() => {
      // the signal that ended the launcher may have reached this process as well
      if (!abort.signal.aborted) onSignal('the end of its launcher')
    })
  })

const run = async (role: NodeRole, flags: Readonly<Record<string, unknown>>): Promise<void> => {
  closeInheritedFiles()
  const config = loadCommandConfig(flags)
  const abort = new AbortController()
  const signaled = untilSignal(abort, config.shutdownGraceS)
  const failed = Promise.withResolvers<Error>()
  const sandbox = await beginSandbox(config, role)
  const { startNode } = await import('#node/node.ts')
  const options = { role, sandbox, signal: abort.signal, onFailed: failed.resolve }
  const node = await startNode(config, options).catch((error: unknown) => {
    // the node was stopped while it still waited for its database
    if (abort.signal.aborted) process.exit(0)
    throw error
  })
  announce({ config, role, node, program: programOf(process.argv[1] ?? 'svc') })
  const failure = await Promise.race([signaled, failed.promise])
  if (failure instanceof Error) createLogger('node').error('The node ends.', { error: failure })
  await node.stop()
  createLogger('node').info('Stopped.')
  // open sockets of callers must not keep the process running
  process.exit(failure instanceof Error ? EXIT.failed : EXIT.ok)
}

export const roleCommand = (role: NodeRole): Command => ({
  builder: (yargs) => addUsage(yargs, { examples: EXAMPLES[role] }),
  handler: (flags) => run(role, flags),
})
