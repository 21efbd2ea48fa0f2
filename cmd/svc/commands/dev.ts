/**
 * `svc dev`: serves this folder's functions and webhooks on a local port, and reloads each when it changes [functions 14.1].
 * `svc dev run`, `flow`, `fire` and `send` try a single action, flow, schedule or event.
 */
import process from 'node:process'
import { z } from 'zod'
import { loadConfig } from '#config/config.ts'
import { AppError, conflict } from '#core/error.ts'
import { openSandbox } from '#node/open-sandbox.ts'
import { createDevApp, type DevApp } from '#project/dev-app.ts'
import { createDevFunctions, type LoadedEvent } from '#project/dev-functions.ts'
import { createDevRoutes } from '#project/dev-routes.ts'
import { runSchedules } from '#project/dev-schedules.ts'
import { type Call, createDevServer, type DevServer } from '#project/dev-server.ts'
import { readVariables } from '#project/env-file.ts'
import { showMessages } from '#project/function-folder.ts'
import type { LocalStarts } from '#project/local-starts.ts'
import { loadDevProject } from '#project/rc-file.ts'
import { watchFunctions } from '#project/watch-functions.ts'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { FunctionCode } from '#service/functions/run-function.ts'
import type { Command } from '../command.ts'
import { parseArguments, wholeArgument } from '../command-arguments.ts'
import { coloured, printLine } from '../print.ts'
import { devListing, printFire } from '../print-dev.ts'
import { printStarted } from '../print-started.ts'
import { printWarnings } from '../print-warnings.ts'
import { devFireCommand } from './dev-fire.ts'
import { devFlowCommand } from './dev-flow.ts'
import { devRunCommand } from './dev-run.ts'
import { devSendCommand } from './dev-send.ts'

const argumentsSchema = z.object({ port: wholeArgument('port', 0, 65_535).optional() })

const statusColour = (status: number) => {
  if (status >= 500) return 'red'
  return status >= 400 ? 'yellow' : 'green'
}

const printCall = ({ method, url, status, ms, log, error, note }: Call): void => {
  const code = coloured(statusColour(status), String(status))
  printLine(`${code} ${method.padEnd(6)} ${url}  ${coloured('dim', `${ms} ms`)}`)
  for (const line of log.split('\n')) if (line !== '') printLine(`    ${coloured('dim', line)}`)
  if (note !== null) printLine(`    ${coloured('yellow', note)}`)
  if (error !== null && !log.includes(error)) printLine(`    ${coloured('red', error)}`)
}

const printLoaded = ({ name, ms, faults }: LoadedEvent): void => {
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

/** Lets functions start and cancel actions and flows on this machine, if the folder has an app.yaml. */
const createWork = (app: DevApp): FunctionCode['work'] => {
  const starts = (): LocalStarts => {
    const parts = app.parts()
    if (parts !== null) return parts.starts
    const message = 'There is no app.yaml in this folder, so there is no action or flow to start.'
    throw new AppError('not_found', message, { code: 'no_manifest' })
  }
  return {
    start: async (call) => starts().start(call, null),
    cancel: async (call) => starts().cancel(call),
  }
}

/** Lists the content of app.yaml, and fires its schedules if requested. @returns a function that stops them */
const openApp = (app: DevApp, origin: string, fires: boolean): (() => void) => {
  const parts = app.parts()
  if (parts === null) return () => undefined
  const { manifest, warnings, variables, starts } = parts
  for (const line of devListing({ manifest, origin, variables, fires, now: Date.now() })) {
    printLine(line)
  }
  printWarnings(warnings)
  return fires ? runSchedules(manifest.schedules, starts, printFire) : () => undefined
}

/** Prints app.yaml and fires its schedules: once `open` knows the address, and again after each change. */
const createListing = (app: () => DevApp, fires: boolean) => {
  let at: string | null = null
  let stop = (): void => undefined
  const open = (origin: string): void => {
    at = origin
    stop = openApp(app(), origin, fires)
  }
  return {
    open,
    stop: () => stop(),
    reload: (hasManifestChanged: boolean): void => {
      const faults = app().reload()
      if (faults.length > 0) printLoaded({ name: 'app.yaml', ms: 0, faults })
      if (faults.length > 0 || !hasManifestChanged || at === null) return
      stop()
      printLine(`${coloured('cyan', '↻')} app.yaml`)
      open(at)
    },
  }
}

/** Resolves at the first signal. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

export const command: Command = {
  builder: (yargs) =>
    yargs
      .option('port', {
        type: 'number',
        requiresArg: true,
        // for this command only, not for its subcommands
        global: false,
        describe: 'Port (default: the port in .svcrc, else 3000)',
      })
      .option('schedules', {
        type: 'boolean',
        default: false,
        global: false,
        describe: 'Fire the schedules of app.yaml',
      })
      .command(devRunCommand)
      .command(devFlowCommand)
      .command(devFireCommand)
      .command(devSendCommand)
      .example('$0 dev --port 4000', '')
      .example('$0 dev --schedules', 'Also fire the schedules of app.yaml')
      .example('$0 dev run greet --input \'{"name":"Ada"}\'', ''),
  handler: async (flags) => {
    const { port } = parseArguments(argumentsSchema, flags)
    const fires = flags.schedules === true
    const project = loadDevProject()
    const { folder } = project
    const { config } = loadConfig({ flags: {} })
    const sandbox = await openSandbox(config)
    const stop = new AbortController()
    const state = createMemoryState()
    const { signal } = stop
    const functions = createDevFunctions(folder, printLoaded)
    const listing = createListing(() => app, fires)
    // watch before reading, because a change in between would otherwise be missed
    const stopWatching = project.watch ? watchFunctions(project, functions, listing.reload) : null
    const app = createDevApp({ folder, sandbox, state, signal, onStarted: printStarted })
    const server = createDevServer({
      functions,
      app: project.app,
      memoryMb: config.jobMemoryMb,
      granted: config.egressAllow,
      sandbox,
      variables: () => readVariables(folder),
      state,
      routes: createDevRoutes(app),
      work: createWork(app),
      onCall: printCall,
    })
    try {
      await functions.reload()
      const origin = `http://localhost:${await listen(server, port ?? project.port)}`
      printLine(`${coloured('bold', project.app)} at ${origin}`)
      for (const name of functions.names()) printLine(`  ${origin}/${name}`)
      listing.open(origin)
      await untilSignal()
    } finally {
      stopWatching?.()
      listing.stop()
      stop.abort()
      await server.close()
      await sandbox.close()
    }
  },
}
