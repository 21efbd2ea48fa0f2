/**
 * Deletes former deployments that are no longer needed, versions of functions that nothing can restore, and the bundles that only
 * these referred to, and overrides of tags of actions that no deployment has. A deployment stays while a job or a flow run pins it.
 */
import { setTimeout } from 'node:timers/promises'
import type { AppAddress } from '#core/app-address.ts'
import {
  type DeploymentHistory,
  type FormerDeployment,
  findUnneededDeployments,
} from '#core/deploy/unneeded-deployments.ts'
import { DAY_MS } from '#core/time-units.ts'
import {
  deleteExpiredDeployment,
  deleteSomeContent,
  expireDeployments,
  findAppState,
  hasContent,
  hasDeletedAppsToNote,
  listAppsWithHistory,
  listExpired,
  listFormer,
  listPinned,
  noteDeletedApps,
  PINNING_TABLES,
} from '#store/apps/former-deployments.ts'
import {
  deleteVersion,
  type FunctionVersion,
  listAppsWithVersions,
  listFormerVersions,
  listRecordedFunctions,
} from '#store/apps/function-versions.ts'
import { deleteUnusedTagOverrides, hasUnusedTagOverrides } from '#store/apps/tag-overrides.ts'
import { bundleNotes, deleteNotedBundle } from '#store/apps/unused-bundles.ts'
import type { Statement } from '#store/database.ts'
import { listWorkspaceIds } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'

/** For how many days the deployments of a deleted app can be made current again. */
const DELETED_APP_DAYS = 7
const PAUSE_MS = 5
/** Jobs or flow runs of one read. */
const PINNED = 500
/** Deployments of one read, whose rows have a large manifest before other columns. */
const DEPLOYMENTS = 20
/** Notes of one read. Each bundle is deleted in a write of its own, because it may have megabytes. */
const NOTES = 100
/** Overrides of tags that one write deletes. */
const OVERRIDES = 500

export type DeploymentSweep = Readonly<{
  /** How many of the newest deployments of each app stay; 0 keeps all. */
  keep: number
  /** For how many days a deployment stays after it was replaced. */
  retentionDays: number
  signal: AbortSignal
  /** Called before each delete, so that only one of several nodes deletes. */
  mayDelete: () => Promise<boolean>
}>

type SweepDeps = Pick<Deps, 'db'>

const pause = (): Promise<void> => setTimeout(PAUSE_MS)

/** @returns the number of deleted deployments */
export const sweepDeployments = async (
  deps: SweepDeps,
  sweep: DeploymentSweep,
): Promise<number> => {
  let deleted = 0
  for (const ws of await listWorkspaceIds(deps.db)) {
    if (sweep.keep > 0) await expireUnneeded(deps, ws, sweep)
    deleted += await deleteExpired(deps, ws, sweep)
    await sweepVersions(deps, ws, sweep)
    await sweepTagOverrides(deps, ws, sweep)
    await pause()
  }
  await sweepUnusedBundles(deps, sweep)
  return deleted
}

/** Writes unless the sweep is to stop. @returns whether it wrote */
const writeIfMay = async (
  { db }: SweepDeps,
  { signal, mayDelete }: DeploymentSweep,
  statements: readonly Statement[],
): Promise<boolean> => {
  if (signal.aborted || !(await mayDelete())) return false
  await db.write(statements, { retry: true })
  await pause()
  return true
}

const expireUnneeded = async (
  deps: SweepDeps,
  ws: string,
  sweep: DeploymentSweep,
): Promise<void> => {
  const { db } = deps
  if (await hasDeletedAppsToNote(db, ws)) await writeIfMay(deps, sweep, noteDeletedApps(ws))
  const now = await db.now()
  const retention = {
    keep: sweep.keep,
    replacedBefore: now - Math.max(1, sweep.retentionDays) * DAY_MS,
    deletedBefore: now - DELETED_APP_DAYS * DAY_MS,
  }
  const unneeded = new Set<string>()
  for (const app of await listAppsWithHistory(db, ws, sweep.keep)) {
    const history = await readHistory(deps, { ws, app })
    for (const id of findUnneededDeployments(history, retention)) unneeded.add(id)
    await pause()
  }
  for (const table of PINNING_TABLES) {
    for (let after: string | undefined = ''; after !== undefined && unneeded.size > 0; ) {
      const pinned: Awaited<ReturnType<typeof listPinned>> = await listPinned(db, {
        ws,
        table,
        after,
        limit: PINNED,
      })
      for (const { deploymentId } of pinned) unneeded.delete(deploymentId)
      after = pinned.length < PINNED ? undefined : pinned.at(-1)?.id
      await pause()
    }
  }
  if (unneeded.size > 0) await writeIfMay(deps, sweep, [expireDeployments(ws, [...unneeded])])
}

const readHistory = async ({ db }: SweepDeps, at: AppAddress): Promise<DeploymentHistory> => {
  const deployments: FormerDeployment[] = []
  for (;;) {
    const before = deployments.at(-1)?.id ?? null
    const some = await listFormer(db, at, { before, limit: DEPLOYMENTS })
    deployments.push(...some)
    if (some.length < DEPLOYMENTS) return { deployments, ...(await findAppState(db, at)) }
    await pause()
  }
}

const deleteExpired = async (
  deps: SweepDeps,
  ws: string,
  sweep: DeploymentSweep,
): Promise<number> => {
  let deleted = 0
  for (const id of await listExpired(deps.db, ws)) {
    while (await hasContent(deps.db, id)) {
      if (!(await writeIfMay(deps, sweep, deleteSomeContent(id)))) return deleted
    }
    if (!(await writeIfMay(deps, sweep, deleteExpiredDeployment(ws, id)))) return deleted
    deleted += 1
  }
  return deleted
}

const sweepVersions = async (
  deps: SweepDeps,
  ws: string,
  sweep: DeploymentSweep,
): Promise<void> => {
  for (const app of await listAppsWithVersions(deps.db, ws)) {
    const at = { ws, app }
    const former = await listFormerVersions(deps.db, at)
    const { recorded, newestId } = await readRecorded(deps, at)
    for (const version of former) {
      if (recorded.has(keyOf(version))) continue
      if (!(await writeIfMay(deps, sweep, deleteVersion({ ...at, ...version, newestId })))) return
    }
  }
}

const sweepTagOverrides = async (
  deps: SweepDeps,
  ws: string,
  sweep: DeploymentSweep,
): Promise<void> => {
  while (await hasUnusedTagOverrides(deps.db, ws)) {
    if (!(await writeIfMay(deps, sweep, [deleteUnusedTagOverrides(ws, OVERRIDES)]))) return
  }
}

const keyOf = ({ name, hash }: FunctionVersion): string => `${name} ${hash}`

type Recorded = Readonly<{
  /** The versions that deployments recorded, by `keyOf`. */
  recorded: ReadonlySet<string>
  /** The newest deployment, or an empty text. */
  newestId: string
}>

const readRecorded = async ({ db }: SweepDeps, at: AppAddress): Promise<Recorded> => {
  const recorded = new Set<string>()
  for (let newestId = ''; ; ) {
    const some = await listRecordedFunctions(db, at, { after: newestId, limit: DEPLOYMENTS })
    for (const { functions } of some) {
      for (const [name, hash] of Object.entries(functions ?? {})) {
        recorded.add(keyOf({ name, hash }))
      }
    }
    newestId = some.at(-1)?.id ?? newestId
    if (some.length < DEPLOYMENTS) return { recorded, newestId }
    await pause()
  }
}

/** Deletes bundles that nothing has referred to for a day. */
const sweepUnusedBundles = async (deps: SweepDeps, sweep: DeploymentSweep): Promise<void> => {
  for (;;) {
    const old = await bundleNotes.listOld(deps.db, NOTES)
    for (const hash of old) {
      if (!(await writeIfMay(deps, sweep, deleteNotedBundle(hash)))) return
    }
    if (old.length < NOTES) return
  }
}
