/** Reads a folder with an app.yaml and checks it as a deployment does, so that an app which runs here also runs on a server. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BundledEntry, bundleEntries } from '#bundle/bundle-entries.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import type { ActionDefinition } from '#core/action/definition.ts'
import { AppError, type ErrorDetail, invalid, unprocessable } from '#core/error.ts'
import type { Manifest } from '#core/manifest/manifest.ts'
import { readManifest } from '#service/apps/read-app.ts'
import { FolderFiles } from './folder-files.ts'
import { showFaults } from './function-folder.ts'
import { hintOfNearApp } from './near-app.ts'

export type LocalApp = Readonly<{
  manifest: Manifest
  /** What the manifest may contain, but fails when it runs. */
  warnings: readonly ErrorDetail[]
  files: FileLookup
  /** Absolute. */
  folder: string
}>

export type LocalAction = Readonly<{ definition: ActionDefinition; entry: BundledEntry }>

/** The last name is a common mistake, which readLocalApp explains. */
const MANIFESTS = ['app.yaml', 'app.json', 'app.yml'] as const

/** Adds the details to the message, because a terminal shows nothing else. */
export const withDetails = (error: unknown): unknown =>
  error instanceof AppError && error.details !== undefined
    ? new AppError(error.kind, `${error.message}\n${showFaults(error.details)}`, {
        code: error.code,
        cause: error,
      })
    : error

export const hasAnyManifest = (folder: string): boolean =>
  MANIFESTS.some((name) => existsSync(join(folder, name)))

/** The files of an app's folder. @throws {AppError} unprocessable: there is no manifest */
export const readAppFolder = (folder = '.'): Omit<LocalApp, 'manifest' | 'warnings'> => {
  const place = resolve(folder)
  if (!hasAnyManifest(place)) {
    const message = `There is no app.yaml or app.json in ${place}. Run this in the folder of an app.${hintOfNearApp(place)}`
    throw unprocessable(message, { code: 'no_manifest' })
  }
  return { files: new FolderFiles(place), folder: place }
}

/** @throws {AppError} unprocessable: there is no manifest, or it has faults */
export const readLocalApp = (folder = '.'): LocalApp => {
  const { files, folder: place } = readAppFolder(folder)
  try {
    return { files, folder: place, ...readManifest(files) }
  } catch (error) {
    throw withDetails(error)
  }
}

/** @throws {AppError} invalid: the list has no item with this key */
export const pickByKey = <Item extends Readonly<{ key: string }>>(
  items: readonly Item[],
  key: string | undefined,
  noun: 'action' | 'flow' | 'schedule',
): Item => {
  const found = items.find((item) => item.key === key)
  if (found !== undefined) return found
  const keys = items.map((item) => item.key).join(', ')
  const there = keys === '' ? `The app has no ${noun}s.` : `The app has ${keys}.`
  throw invalid(
    key === undefined ? `Which ${noun}? ${there}` : `There is no ${noun} ${key}. ${there}`,
  )
}

/** @throws {AppError} unprocessable: the code cannot be bundled */
export const bundleActions = async (
  { files }: LocalApp,
  definitions: readonly ActionDefinition[],
): Promise<ReadonlyMap<string, LocalAction>> => {
  const entrypoints = definitions.map(({ entrypoint }) => entrypoint)
  const entries = await bundleEntries(files, entrypoints).catch((error: unknown) => {
    throw withDetails(error)
  })
  return new Map(
    definitions.flatMap((definition) => {
      const entry = entries.find(({ entrypoint }) => entrypoint === definition.entrypoint)
      return entry === undefined ? [] : [[definition.key, { definition, entry }] as const]
    }),
  )
}
