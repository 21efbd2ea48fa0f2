/**
 * `svc dev`: this folder's functions on a local port, each reloaded by itself when it changes [functions 14.1]. `svc dev run`
 * and `svc dev flow` try an action or a flow once.
 */
import process from 'node:process'
import { z } from 'zod'
import { loadConfig } from '#config/config.ts'
import { conflict } from '#core/error.ts'
import { openSandbox } from '#node/start-worker.ts'
import { readLocalApp } from '#project/app-folder.ts'
import { createDevFunctions, type LoadedEvent } from '#project/dev-functions.ts'
import { type Call, createDevServer, type DevServer } from '#project/dev-server.ts'
import { readVariables } from '#project/env-file.ts'
import { showMessages } from '#project/function-folder.ts'
import type { LocalStarts } from '#project/local-starts.ts'
import { loadProject } from '#project/rc-file.ts'
import { watchFunctions } from '#project/watch-functions.ts'
import { openLocalWork } from '#project/with-local-actions.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { FunctionCode } from '#service/functions/run-function.ts'
import type { Command } from '../command.ts'
import { parseArguments, wholeArgument } from '../command-arguments.ts'
import { coloured, printLine } from '../print.ts'
import { tellStarted } from '../tell-started.ts'
import { devFlowCommand } from './dev-flow.ts'
import { devRunCommand } from './dev-run.ts'

const argumentsSchema = z.object({ port: wholeArgument('port', 0, 65_535).optional() })

const statusColour = (status: number) => {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

const tellCall = ({ method, url, status, ms, log, error }: Call): void => {
  const code = coloured(statusColour(status), String(status))
  printLine(`${code} ${method.padEnd(6)} ${url}  ${coloured('dim', `${ms} ms`)}`)
  for (const line of log.split('\n')) if (line !== '') printLine(`    ${coloured('dim', line)}`)
  if (error !== null && !log.includes(error)) printLine(`    ${coloured('red', error)}`)
}

const tellLoaded = ({ name, ms, faults }: LoadedEvent): void => {
  if (faults.length === 0)
    printLine(`${coloured('cyan', '↻')} ${name}  ${coloured('dim', `${ms} ms`)}`)
  else printLine(`${coloured('red', '✗')} Dev server error: ${showMessages(faults)}`)
}

const listen = async (server: DevServer, port: number): Promise<number> => {
  try {
    return await server.listen(port)
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    if (!isTaken) throw cause
    throw conflict(`Port ${port} is in use. Stop what runs there, or: svc dev --port ${port + 1}`, {
      cause,
    })
  }
}

/** What functions start runs here too, where the folder has an app.yaml. */
const createStart = (folder: string, sandbox: Sandbox): FunctionCode['start'] => {
  let starts: LocalStarts | null = null
  const { signal } = new AbortController()
  return (call) => {
    starts ??= openLocalWork({
      app: readLocalApp(folder),
      sandbox,
      signal,
      folder,
      onStarted: tellStarted,
    }).starts
    return starts.start(call, null)
  }
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        requiresArg: true,
        // of this command alone, not of those below it
        global: false,
        describe: 'Default: .svcrc’s, else 3000',
      })
      .command(devRunCommand)
      .command(devFlowCommand)
      .example('$0 dev --port 4000', '')
      .example('$0 dev run greet --input \'{"name":"Ada"}\'', ''),
  handler: async (flags) => {
    const { port } = parseArguments(argumentsSchema, flags)
    const project = loadProject()
    const { config } = loadConfig({ flags: {} })
    const sandbox = await openSandbox(config)
    const functions = createDevFunctions(project.folder, tellLoaded)
    const server = createDevServer({
      functions,
      app: project.app,
      memoryMb: config.jobMemoryMb,
      granted: config.egressAllow,
      sandbox,
      variables: readVariables(project.folder),
      start: createStart(project.folder, sandbox),
      onCall: tellCall,
    })
    try {
      await functions.reload()
      const at = await listen(server, port ?? project.port)
      printLine(`${coloured('bold', project.app)} at http://localhost:${at}`)
      for (const name of functions.names()) printLine(`  http://localhost:${at}/${name}`)
      const stopWatching = project.watch ? watchFunctions(project, functions) : null
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      })
      stopWatching?.()
    } finally {
      await server.close()
      await sandbox.close()
    }
  },
}
