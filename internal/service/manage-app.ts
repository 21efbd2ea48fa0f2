/** What is done to an app apart from deploying it. */
import type { Actor } from '#core/actor.ts'
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
import { insertAuditEntryIfChanged } from '#store/audit-log.ts'
import { checkAllowedTag } from './check-tag.ts'
import type { Deps } from './deps.ts'

type AppDeps = Pick<Deps, 'db' | 'newId'>

/** @throws {AppError} invalid, conflict */
export const createEmptyApp = async (
  { db, newId }: AppDeps,
  { ws, key, name, actor }: Readonly<{ ws: string; key: string; name: string; actor: Actor }>,
): Promise<App> => {
  if (!APP_KEY.test(key)) {
    throw invalid(
      'An app key has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.',
    )
  }
  const entry = { id: newId(), ws, actor, action: 'app.created', target: key }
  const [result] = await db.write([insertEmptyApp(ws, key, name), insertAuditEntryIfChanged(entry)])
  if (result?.changes !== 1)
    throw conflict(`The app "${key}" exists already.`, { code: 'app_exists' })
  const made = await findApp(db, ws, key)
  if (made === null) throw new Error('The app just made is gone.')
  return made
}

/** @throws {AppError} not_found */
export const deleteApp = async (
  { db, newId }: AppDeps,
  { ws, key, actor }: Readonly<{ ws: string; key: string; actor: Actor }>,
): Promise<void> => {
  const entry = { id: newId(), ws, actor, action: 'app.deleted', target: key }
  const [removeApp, ...removeRest] = deleteStatements(ws, key)
  const [result] = await db.write([removeApp, insertAuditEntryIfChanged(entry), ...removeRest])
  if (result?.changes !== 1) throw notFound(`App "${key}"`, { code: 'app_not_found' })
}

export type TagOverride = Readonly<{
  ws: string
  app: string
  action: string
  /** Null: back to the manifest's. */
  tag: string | null
  actor: Actor
}>

/** @throws {AppError} forbidden `tag_not_allowed` */
export const overrideTag = async (
  { db, newId }: AppDeps,
  { ws, app, action, tag, actor }: TagOverride,
): Promise<void> => {
  if (tag !== null) await checkAllowedTag({ db }, ws, tag)
  await db.write([
    tag === null ? deleteTagOverride(ws, app, action) : upsertTagOverride(ws, app, action, tag),
    insertAuditEntryIfChanged({
      id: newId(),
      ws,
      actor,
      action: tag === null ? 'tag_override.removed' : 'tag_override.set',
      target: `${app}/${action}`,
    }),
  ])
}
