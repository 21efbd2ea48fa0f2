/** Use cases of an app apart from deploying it. */
import type { Actor } from '#core/access/actor.ts'
import { type AppError, conflict, notFound } from '#core/error.ts'
import { requireAppKey } from '#core/key-patterns.ts'
import { appNotFound } from '#core/target-not-found.ts'
import {
  type App,
  deleteAppRest,
  deleteApp as deleteStatement,
  findApp,
  insertEmptyApp,
  listPreviews,
} from '#store/apps/apps.ts'
import { deleteTagOverride, upsertTagOverride } from '#store/apps/tag-overrides.ts'
import type { Statement } from '#store/database.ts'
import { audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { clearDeletedApp, clearDeletedSchedules } from '../left-rows.ts'
import { checkAllowedTag } from '../queue/check-tag.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { clearGrants } from './clear-grants.ts'

type AppDeps = Pick<Deps, 'db' | 'newId'>

/** Creates an app without a deployment. @throws {AppError} invalid, conflict */
export const createEmptyApp = async (
  { db, newId }: AppDeps,
  { ws, key, name, actor }: Readonly<{ ws: string; key: string; name: string; actor: Actor }>,
): Promise<App> => {
  requireAppKey(key)
  return retryOnConflict(
    async () => {
      await clearDeletedApp({ db }, { ws, app: key })
      const { app } = await db.write({
        app: insertEmptyApp(ws, key, name),
        audit: audited({ newId }, { ws, actor }, 'app.created', key),
      })
      const made = await findApp(db, ws, key)
      if (app.changes === 1 && made === null) throw new Error('The new app was not found.')
      if (app.changes !== 1 && made !== null) throw appExists(key)
      return made
    },
    () => appExists(key),
  )
}

const appExists = (key: string): AppError =>
  conflict(`The app "${key}" already exists.`, { code: 'app_exists' })

type AppDeletion = Readonly<{ ws: string; key: string; actor: Actor }>

/** Returns statements that delete an app with its functions, without previews of its branches, and without all of very many schedules. */
export const deletionOf = (
  { newId }: Pick<Deps, 'newId'>,
  { ws, key, actor }: AppDeletion,
): readonly [Statement, ...Statement[]] => [
  deleteStatement(ws, key),
  audited({ newId }, { ws, actor }, 'app.deleted', key),
  ...deleteAppRest(ws, key),
]

/** Deletes an app with its functions and the previews of its branches. @throws {AppError} not_found */
export const deleteApp = async (
  { db, newId }: AppDeps,
  { ws, key, actor }: AppDeletion,
): Promise<void> => {
  const previews = await listPreviews(db, ws, key)
  if ((await findApp(db, ws, key)) === null) throw appNotFound(key)
  for (const app of [key, ...previews.map((preview) => preview.key)])
    await clearGrants({ db }, { ws, app })
  const [app, ...rest] = deletionOf({ newId }, { ws, key, actor })
  const { app: deleted } = await db.write({
    app,
    rest,
    previews: previews.flatMap((preview) => deletionOf({ newId }, { ws, key: preview.key, actor })),
  })
  if (deleted.changes !== 1) throw appNotFound(key)
  for (const app of [key, ...previews.map((preview) => preview.key)]) {
    await clearDeletedSchedules({ db }, { ws, app })
  }
}

export type TagOverride = Readonly<{
  ws: string
  app: string
  action: string
  /** Null to use the manifest's tag again. */
  tag: string | null
  actor: Actor
}>

/** Sets or removes an action's tag override. @throws {AppError} forbidden `tag_not_allowed`; not_found: the app has no such action */
export const overrideTag = async (
  { db, newId }: AppDeps,
  { ws, app, action, tag, actor }: TagOverride,
): Promise<void> => {
  if (tag !== null) await checkAllowedTag({ db }, ws, tag)
  const isRemoved = tag === null
  const { override } = await db.write({
    override: isRemoved
      ? deleteTagOverride(ws, app, action)
      : upsertTagOverride(ws, app, action, tag),
    audit: audited(
      { newId },
      { ws, actor },
      isRemoved ? 'tag_override.removed' : 'tag_override.set',
      `${app}/${action}`,
    ),
  })
  if (!isRemoved && override.changes !== 1) throw notFound(`Action "${action}" of app "${app}"`)
}
