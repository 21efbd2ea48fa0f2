/** `.svc/manifest.json` (document 3): which version of each function was deployed last from this folder. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const VERSION = '1.0'

const manifest = z.looseObject({
  version: z.string(),
  appId: z.string(),
  lastDeploy: z.string().nullable(),
  functions: z.record(z.string(), z.looseObject({ hash: z.string(), deployedAt: z.string() })),
})
export type DeployState = Readonly<z.infer<typeof manifest>>

const pathOf = (folder: string): string => join(folder, '.svc', 'manifest.json')

const empty = (appId: string): DeployState => ({
  version: VERSION,
  appId,
  lastDeploy: null,
  functions: {},
})

/** Of another app, or none: nothing was deployed. */
export const readDeployState = (folder: string, appId: string): DeployState => {
  try {
    const parsed = manifest.safeParse(JSON.parse(readFileSync(pathOf(folder), 'utf8')))
    return parsed.success && parsed.data.appId === appId ? parsed.data : empty(appId)
  } catch {
    return empty(appId)
  }
}

/** Whole or not at all. */
export const writeDeployState = (folder: string, state: DeployState): void => {
  const path = pathOf(folder)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** With what was deployed now. */
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
