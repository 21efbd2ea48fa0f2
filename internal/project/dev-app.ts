/**
 * The folder's app.yaml as `svc dev` keeps it in memory. It is read again when it changes. Jobs and runs that have begun
 * continue with the former version; state and waiting events are kept.
 */
import { AppError, type ErrorDetail } from '#core/error.ts'
import type { Manifest } from '#core/manifest/manifest.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { readLocalApp } from './app-folder.ts'
import { readVariables } from './env-file.ts'
import type { LocalStarted, LocalStarts } from './local-starts.ts'
import { createLocalWaits } from './local-waits.ts'
import { openLocalWork } from './with-local-actions.ts'

/** The parts that run now. */
export type DevAppParts = Readonly<{
  manifest: Manifest
  /** What the manifest may contain, but fails when it runs. */
  warnings: readonly ErrorDetail[]
  /** The values of `.env`. */
  variables: Readonly<Record<string, string>>
  starts: LocalStarts
}>

export interface DevApp {
  /** @returns null if the folder has no app.yaml @throws {AppError} app.yaml has faults */
  parts(): DevAppParts | null
  /** Reads app.yaml, `.env` and the names of files again. @returns its faults */
  reload(): readonly ErrorDetail[]
}

type Read = DevAppParts | AppError | null

/** @param state shared by functions and actions of the app */
export const createDevApp = ({
  folder,
  sandbox,
  state,
  signal,
  onStarted,
}: Readonly<{
  folder: string
  sandbox: Sandbox
  state: StateAccess
  signal: AbortSignal
  onStarted: (started: LocalStarted) => void
}>): DevApp => {
  const waits = createLocalWaits({ isEndless: true })
  const read = (): Read => {
    try {
      const app = readLocalApp(folder)
      const { starts } = openLocalWork({ app, sandbox, signal, onStarted, waits, state })
      const { manifest, warnings } = app
      return { manifest, warnings, variables: readVariables(folder), starts }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.code === 'no_manifest' ? null : error
    }
  }
  let current = read()
  return {
    parts: () => {
      if (current instanceof AppError) throw current
      return current
    },
    reload: () => {
      current = read()
      return current instanceof AppError ? [{ path: 'app.yaml', message: current.message }] : []
    },
  }
}
