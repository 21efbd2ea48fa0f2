/** Finds an app that a request names. */
import { appNotFound } from '#core/target-not-found.ts'
import { type App, findApp } from '#store/apps/apps.ts'
import type { Deps } from '../deps.ts'

/** @throws {AppError} not_found `app_not_found` */
export const requireApp = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  key: string,
): Promise<App> => {
  const app = await findApp(db, ws, key)
  if (app === null) throw appNotFound(key)
  return app
}
