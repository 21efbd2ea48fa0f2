/** Reads the key of the app of a folder. The rest of its manifest may have faults. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'
import { APP_KEY } from '#core/key-patterns.ts'
import { readManifestSource } from '#core/manifest/source.ts'

const keyed = z.looseObject({ key: z.string().regex(APP_KEY) })

/**
 * Returns null if the folder has no manifest.
 * @throws {AppError} unprocessable: the manifest has no valid key, or another name, with every fault of it
 */
export const readAppKey = async (folder = '.'): Promise<string | null> => {
  const name = MANIFEST_NAMES.find((one) => existsSync(join(folder, one)))
  const key = name === undefined ? undefined : keyIn(readFileSync(join(folder, name), 'utf8'), name)
  if (key !== undefined) return key
  // only a folder whose manifest has faults needs the whole reader of apps, which loads the bundler
  const { hasAnyManifest, readLocalApp } = await import('./app-folder.ts')
  return hasAnyManifest(folder) ? readLocalApp(folder).manifest.key : null
}

const keyIn = (text: string, name: string): string | undefined => {
  const read = readManifestSource(text, name)
  return read.ok ? keyed.safeParse(read.source.value).data?.key : undefined
}
