/**
 * Reads uploaded archives. `svc deploy` sends the same archive twice, for the plan and for the deployment, so an app that was
 * read for its plan is kept for the deployment that follows.
 */
import type { AppFiles } from '#bundle/app-files.ts'
import { readArchive } from '#bundle/archive.ts'
import type { DeployPolicy } from '#core/deploy/policy.ts'
import { createFairTurns } from '#core/fairness/turns.ts'
import type { Database } from '#store/database.ts'
import { bytesOfApp, type ReadApp, readApp } from '../apps/read-app.ts'
import { packagesOfApp } from '../packages/packages-of-app.ts'
import { bringsItsPackages } from '../packages/plan-packages.ts'
import { hashParts } from '../portions/hash-parts.ts'
import { takeTurn } from '../portions/take-turn.ts'
import type { ReadDeps } from './deploy-app.ts'

export type Upload = Readonly<{ ws: string; archive: Uint8Array }>

/** The most bytes of all kept apps together, and of a single one. */
const MAX_KEPT_BYTES = 32 * 1_024 * 1_024
/** Milliseconds in which a person answers the question of a plan. */
const KEPT_MS = 60_000

type Kept = Readonly<{ app: ReadApp; bytes: number; timer: ReturnType<typeof setTimeout> }>

/** Kept apps by database, because each database has its own workspaces. */
const keptBy = new WeakMap<Database, Map<string, Kept>>()

const keptOf = (db: Database): Map<string, Kept> => {
  const known = keptBy.get(db) ?? new Map<string, Kept>()
  keptBy.set(db, known)
  return known
}

/** The policy is part of the key, because a manifest that fits one policy may not fit another. */
const keyOf = async ({ ws, archive }: Upload, policy: DeployPolicy): Promise<string> => {
  await takeTurn()
  return hashParts([archive, Buffer.from(JSON.stringify([ws, policy]))])
}

const drop = (kept: Map<string, Kept>, key: string): ReadApp | null => {
  const found = kept.get(key)
  if (found === undefined) return null
  clearTimeout(found.timer)
  kept.delete(key)
  return found.app
}

const keep = (kept: Map<string, Kept>, key: string, app: ReadApp): void => {
  const bytes = bytesOfApp(app)
  if (bytes > MAX_KEPT_BYTES) return
  drop(kept, key)
  const timer = setTimeout(() => kept.delete(key), KEPT_MS)
  timer.unref()
  kept.set(key, { app, bytes, timer })
  let total = [...kept.values()].reduce((sum, each) => sum + each.bytes, 0)
  for (const [oldest, each] of kept) {
    if (total <= MAX_KEPT_BYTES) break
    total -= each.bytes
    drop(kept, oldest)
  }
}

/** An upload may unpack to 200 MiB, so only one is in memory at a time, and workspaces take turns. */
const take = createFairTurns()

type Unpacked = Readonly<{ files: AppFiles; app: ReadApp | null }>

const read = async (
  deps: ReadDeps,
  { ws, archive }: Upload,
  policy: DeployPolicy,
): Promise<ReadApp> => {
  const { files, app } = await take<Unpacked>(ws, async () => {
    const files = await readArchive(archive)
    if (!bringsItsPackages(files)) return { files, app: null }
    return { files, app: await readApp(deps, { ws, files, policy }) }
  })
  // a slow registry must not keep the uploads of others waiting
  if (app !== null) return app
  const fetchPackages = () => packagesOfApp(deps, ws, files)
  return readApp(deps, { ws, files, policy, fetchPackages })
}

/** Reads an archive for its plan, and keeps the app for a minute. @throws {AppError} unprocessable; bad_gateway */
export const readForPlan = async (
  deps: ReadDeps,
  upload: Upload,
  policy: DeployPolicy,
): Promise<ReadApp> => {
  const app = await read(deps, upload, policy)
  keep(keptOf(deps.db), await keyOf(upload, policy), app)
  return app
}

/** Reads an archive, or takes the app that was read for its plan. @throws {AppError} unprocessable; bad_gateway */
export const readForDeployment = async (
  deps: ReadDeps,
  upload: Upload,
  policy: DeployPolicy,
): Promise<ReadApp> =>
  drop(keptOf(deps.db), await keyOf(upload, policy)) ?? read(deps, upload, policy)
