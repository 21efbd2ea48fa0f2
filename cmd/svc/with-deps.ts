/** Local commands with direct access to the database: open, bring to the schema, act, close. */
import type { Config } from '#config/config.ts'
import { checkInstanceKey } from '#service/bootstrap.ts'
import type { Deps } from '#service/deps.ts'
import { migrate } from '#store/migrate.ts'
import { composeDeps, openConfigured } from './compose.ts'
import { checkInstanceKeyIsThere } from './instance-key.ts'

export const withDeps = async <T>(config: Config, act: (deps: Deps) => Promise<T>): Promise<T> => {
  const db = await openConfigured(config)
  try {
    await migrate(db)
    await checkInstanceKeyIsThere(config, db)
    const deps = composeDeps(config, db)
    await checkInstanceKey(deps)
    return await act(deps)
  } finally {
    await db.close()
  }
}
