/** The sandbox that a worker of this machine would have, for as long as a command tries something in it. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { openSandbox } from '#node/start-worker.ts'
import type { LocalApp } from './app-folder.ts'
import { readVariables } from './env-file.ts'
import { createLocalActions, type LocalActions } from './local-actions.ts'

export type LocalRuntime = Readonly<{
  runner: LocalActions
  /** Aborted when the command is to stop. */
  signal: AbortSignal
}>

/** Calls `act` with what runs the actions of a local app. */
export const withLocalActions = async <T>(
  { manifest }: LocalApp,
  act: (runtime: LocalRuntime) => Promise<T>,
): Promise<T> => {
  const { config } = loadConfig({ flags: {} })
  // one process is warmed up; a flow starts more when it needs them
  const sandbox = await openSandbox({ ...config, concurrency: 1 })
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
  const runner = createLocalActions({
    sandbox,
    app: manifest.key,
    variables: readVariables('.'),
    concurrency: config.concurrency,
    limits: {
      memoryMb: config.jobMemoryMb,
      resultBytes: config.maxResultBytes,
      logBytes: config.maxLogBytes,
    },
  })
  try {
    return await act({ runner, signal: stop.signal })
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal)
    await sandbox.close()
  }
}
