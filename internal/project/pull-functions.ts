/** Writes an app's functions from a server into a folder, with `.svcrc` and the deployed versions. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { pathFault } from '#bundle/app-files.ts'
import { type Client, createClient } from '#cli-client/client.ts'
import { listAll, MAX_ROWS } from '#cli-client/list-all.ts'
import { nearestTo } from '#core/edit-distance.ts'
import { AppError, conflict, unprocessable } from '#core/error.ts'
import { findGitFile } from '#core/function/git-folder.ts'
import { FUNCTION_NAME } from '#core/key-patterns.ts'
import { makeFolder } from '#disk/make-folder.ts'
import { readDeployState, writeDeployState } from './deploy-state.ts'
import { functionPath, readOne, writeFunction } from './function-folder.ts'
import { rcPath, readAppOfFolder, writeRcFile } from './rc-file.ts'

const apps = z.looseObject({ items: z.array(z.looseObject({ key: z.string(), name: z.string() })) })
const functions = z.looseObject({
  items: z.array(
    z.looseObject({
      name: z.string().regex(FUNCTION_NAME),
      hash: z.string(),
      deployed_at: z.string(),
      files: z.record(
        z.string().refine((path) => pathFault(path) === null),
        z.base64(),
      ),
    }),
  ),
})
type Pulled = z.infer<typeof functions>['items'][number]

/** The most apps that a message names. */
const MAX_NAMED = 20

const knownApps = (wanted: string, apps: readonly Readonly<{ key: string }>[]): string => {
  const keys = apps.map(({ key }) => key)
  if (keys.length === 0) return 'This server has none yet.'
  if (keys.length <= MAX_NAMED) return `This server has ${keys.join(', ')}.`
  const meant = nearestTo(wanted, keys)
  return meant === undefined ? '`svc apps` lists all.' : `Did you mean ${meant}?`
}

/** @throws {AppError} not_found */
const chooseApp = async (client: Client, wanted: string | null) => {
  const pages = await listAll(client, apps, `/apps?limit=${MAX_ROWS}`)
  const items = pages.flatMap((page) => page.items)
  const found =
    wanted === null ? items[0] : items.find(({ key, name }) => key === wanted || name === wanted)
  if (found !== undefined) return found
  if (wanted === null) {
    throw new AppError('not_found', 'There is no app on this server yet. `svc deploy` makes one.')
  }
  throw new AppError('not_found', `App "${wanted}" not found. ${knownApps(wanted, items)}`)
}

const filesOf = ({ files }: Pulled): ReadonlyMap<string, Uint8Array> =>
  new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      new Uint8Array(Buffer.from(text, 'base64')),
    ]),
  )

/** Finds files with local changes that would be overwritten. */
const findConflicts = (
  folder: string,
  known: Readonly<Record<string, Readonly<{ hash: string }>>>,
  pulled: readonly Pulled[],
): readonly string[] =>
  pulled.flatMap((each) => {
    if (!existsSync(functionPath(folder, each.name))) return []
    const { source } = readOne(folder, each.name)
    const isOurs = source !== null && source.hash !== each.hash
    if (!isOurs || source.hash === known[each.name]?.hash) return []
    return [...filesOf(each)]
      .map(([path, bytes]) => ({ path: join(functionPath(folder, each.name), path), bytes }))
      .filter(({ path, bytes }) => existsSync(path) && !readFileSync(path).equals(bytes))
      .map(({ path }) => path)
  })

const changedHere = (conflicts: readonly string[]): AppError =>
  conflict(
    `These were changed here and would be lost:\n${conflicts.map((path) => `  ${path}`).join('\n')}\nKeep a copy, or run it with --force.`,
  )

/** Refuses files that git would take for a repository, whose configuration may name programs. @throws {AppError} unprocessable */
const refuseRepositories = (pulled: readonly Pulled[]): void => {
  for (const { name, files } of pulled) {
    const path = findGitFile(Object.keys(files))
    if (path === null) continue
    throw unprocessable(
      `The function ${name} has the file ${path}, which git would take for a part of a repository. Nothing was written. Remove it from the function, and deploy that again.`,
    )
  }
}

/** Two apps in one folder would mix, and the next deploy would send both to one of them. */
const otherApp = (here: string, wanted: string): AppError =>
  conflict(
    `This folder belongs to the app ${here}. Pull ${wanted} into another folder: svc pull ${wanted} --dir ${wanted}`,
  )

type Pull = Readonly<{
  folder: string
  /** The key or name of the app; undefined selects the one that the folder belongs to, else the first one. */
  wanted: string | undefined
  /** Overwrites local changes. */
  force: boolean
}>

/**
 * @throws {AppError} not_found: the app; conflict: files were changed in the folder, or it belongs to another app; unprocessable:
 * a function brings a repository of git
 */
export const pullFunctions = async ({ folder, wanted, force }: Pull) => {
  const client = createClient()
  const here = readAppOfFolder(folder)
  const app = await chooseApp(client, wanted ?? here)
  if (here !== null && here !== app.key && !force) throw otherApp(here, app.key)
  const { items } = await client.call(functions, `/apps/${app.key}/functions`)
  refuseRepositories(items)
  const place = { folder, rc: rcPath(folder) }
  const before = readDeployState({ ...place, app: app.key })
  const conflicts = force ? [] : findConflicts(folder, before.functions, items)
  if (conflicts.length > 0) throw changedHere(conflicts)
  makeFolder(join(folder, 'functions'))
  for (const each of items) writeFunction(folder, each.name, filesOf(each))
  const rc = writeRcFile(folder, { id: app.key, name: app.name })
  const state = items.map(
    ({ name, hash, deployed_at }) => [name, { hash, deployedAt: deployed_at }] as const,
  )
  const times = items.map(({ deployed_at }) => deployed_at).toSorted()
  writeDeployState(place, {
    version: '1.0',
    appId: app.key,
    lastDeploy: times.at(-1) ?? null,
    functions: Object.fromEntries(state),
  })
  return { app: app.key, rc, names: items.map(({ name }) => name) }
}
