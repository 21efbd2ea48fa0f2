/**
 * Stores bundles before the deployment or the functions that refer to them, in small writes, because one large write would block
 * the database for all others. The next deploy reuses the bundles of a failed one.
 */
import { findMissingBundles, insertBundle } from '#store/apps/bundles.ts'
import type { Statement } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/** Characters of one write. */
const MAX_WRITE = 1_024 * 1_024
const MAX_STATEMENTS = 200

type Hashed = Readonly<{ hash: string; code: string; sourceMap: string }>

export const keepBundles = async (
  { db }: Pick<Deps, 'db'>,
  bundles: readonly Hashed[],
): Promise<void> => {
  const byHash = new Map(bundles.map((bundle) => [bundle.hash, bundle]))
  let statements: Statement[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (statements.length > 0) await db.write(statements, { retry: true })
    statements = []
    size = 0
  }
  for (const hash of await findMissingBundles(db, [...byHash.keys()])) {
    const bundle = byHash.get(hash)
    if (bundle === undefined) continue
    const own = bundle.code.length + bundle.sourceMap.length
    if (size + own > MAX_WRITE || statements.length >= MAX_STATEMENTS) await flush()
    statements.push(insertBundle(hash, bundle))
    size += own
  }
  await flush()
}
