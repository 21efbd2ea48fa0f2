/**
 * `.svc/manifest.json` [functions 2.7]: the version of each function that was deployed last from this folder. Each rc file
 * has its own state, because each may name another app or server.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '#disk/make-folder.ts'

const VERSION = '1.0'
/** The name of the rc file unless `SVCRC` names another. */
export const RC_FILE = '.svcrc'

const manifest = z.looseObject({
  version: z.string(),
  appId: z.string(),
  lastDeploy: z.string().nullable(),
  functions: z.record(z.string(), z.looseObject({ hash: z.string(), deployedAt: z.string() })),
})
export type DeployState = Readonly<z.infer<typeof manifest>>

/** Where the state of an rc file is. */
export type StatePlace = Readonly<{
  folder: string
  /** Path of the rc file. */
  rc: string
}>

const pathOf = ({ folder, rc }: StatePlace): string => {
  const name = relative(resolve(folder), resolve(folder, rc))
  const own = name === RC_FILE ? 'manifest.json' : `manifest.${encodeURIComponent(name)}.json`
  return join(folder, '.svc', own)
}

const empty = (appId: string): DeployState => ({
  version: VERSION,
  appId,
  lastDeploy: null,
  functions: {},
})

/** Reads the last deployed versions; null if there is no record, or it belongs to another app. */
export const readDeployState = ({
  app: appId,
  ...place
}: StatePlace & Readonly<{ app: string }>): DeployState => {
  try {
    const parsed = manifest.safeParse(JSON.parse(readFileSync(pathOf(place), 'utf8')))
    return parsed.success && parsed.data.appId === appId ? parsed.data : empty(appId)
  } catch {
    return empty(appId)
  }
}

/** Writes the file atomically. */
export const writeDeployState = (place: StatePlace, state: DeployState): void => {
  const path = pathOf(place)
  makeFolder(dirname(path))
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** Returns the state with the functions that were just deployed. */
export const recordDeploy = (
  state: DeployState,
  deployed: readonly Readonly<{ name: string; hash: string }>[],
  at: string,
): DeployState => ({
  ...state,
  lastDeploy: at,
  functions: {
    ...state.functions,
    ...Object.fromEntries(deployed.map(({ name, hash }) => [name, { hash, deployedAt: at }])),
  },
})
