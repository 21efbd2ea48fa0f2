/** What is done to an app apart from deploying it. */
import { conflict, invalid, notFound } from '#core/error.ts'
import { APP_KEY } from '#core/manifest.ts'
import {
  type App,
  deleteApp as deleteStatements,
  deleteTagOverride,
  findApp,
  insertEmptyApp,
  upsertTagOverride,
} from '#store/apps.ts'
import type { Deps } from './deps.ts'

/** @throws {AppError} invalid, conflict */
export const createEmptyApp = async (
  { db }: Pick<Deps, 'db'>,
  { ws, key, name }: Readonly<{ ws: string; key: string; name: string }>,
): Promise<App> => {
  if (!APP_KEY.test(key)) {
    throw invalid(
      'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.',
    )
  }
  const [result] = await db.write([insertEmptyApp(ws, key, name)])
  if (result?.changes !== 1)
    throw conflict(`The app "${key}" exists already.`, { code: 'app_exists' })
  const made = await findApp(db, ws, key)
  if (made === null) throw new Error('The app just made is gone.')
  return made
}

/** @throws {AppError} not_found */
export const deleteApp = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  key: string,
): Promise<void> => {
  const [result] = await db.write(deleteStatements(ws, key))
  if (result?.changes !== 1) throw notFound(`App "${key}"`, { code: 'app_not_found' })
}

export type TagOverride = Readonly<{
  ws: string
  app: string
  action: string
  /** Null: back to the manifest's. */
  tag: string | null
}>

export const overrideTag = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app, action, tag }: TagOverride,
): Promise<void> => {
  await db.write([
    tag === null ? deleteTagOverride(ws, app, action) : upsertTagOverride(ws, app, action, tag),
  ])
}
