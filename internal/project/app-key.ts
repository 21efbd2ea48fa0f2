/** Reads the key of the app of a folder. The rest of its manifest may have faults. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MANIFEST_NAMES } from '#core/deploy/app-folders.ts'
import { APP_KEY } from '#core/key-patterns.ts'
import { readManifestSource } from '#core/manifest/source.ts'

const keyed = z.looseObject({ key: z.string().regex(APP_KEY) })

/** Returns null if the folder has no manifest, or one without a valid key. */
export const readAppKey = (folder = '.'): string | null => {
  const name = MANIFEST_NAMES.find((one) => existsSync(join(folder, one)))
  if (name === undefined) return null
  const read = readManifestSource(readFileSync(join(folder, name), 'utf8'), name)
  return read.ok ? (keyed.safeParse(read.source.value).data?.key ?? null) : null
}
