/** A test app on each database. */
import { bootstrap } from '#service/bootstrap.ts'
import { openDatabase } from '#store/open-database.ts'
import { ADMIN, type TestAppOptions } from './create-test-app.ts'
import { PASSWORD } from './database-template.ts'
import { startMigratedSqld } from './migrated-sqld.ts'
import { createTestDeps } from './test-deps.ts'

export type AppBackend = Readonly<{
  /** Options for `createTestApp`. */
  app: TestAppOptions
  /** Call it after the app's own `close`. */
  close: () => Promise<void>
}>

const onSqld = async (): Promise<AppBackend> => {
  const sqld = await startMigratedSqld()
  const db = await openDatabase({ url: sqld.httpUrl })
  await bootstrap(createTestDeps(db), { email: ADMIN, password: PASSWORD })
  return {
    app: { checksBatches: false, wrapDatabase: () => db },
    close: () => sqld.close(),
  }
}

export const APP_BACKENDS = [
  ['a file', async (): Promise<AppBackend> => ({ app: {}, close: async () => undefined })],
  ['sqld', onSqld],
] as const
