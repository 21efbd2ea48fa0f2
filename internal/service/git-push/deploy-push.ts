/**
 * Decides whether git accepts a push. The main branch is deployed as the app, each other branch as a preview of it. If a
 * deployment fails, the push is refused.
 *
 * Guarantee: refs, deployments and removed previews are one write, made before git accepts the push, or nothing is written. If
 * pushes to several servers change the same ref, one wins and the others are refused.
 */
import { join } from 'node:path'
import { MIB } from '#core/byte-units.ts'
import { AppError, unprocessable } from '#core/error.ts'
import { DEFAULT_BRANCH, writeMark } from '#git/push-repository.ts'
import { afterUpdates, checkRefs, isNone, type Refs } from '#git/repository-refs.ts'
import type { Logger } from '#log/logger.ts'
import { type App, findApp, listPreviews } from '#store/apps/apps.ts'
import {
  changeRefs,
  findRepository,
  type Repository,
  wasOvertaken,
} from '#store/apps/git-repositories.ts'
import { DatabaseError, type Statement } from '#store/database.ts'
import { deletionOf } from '../apps/manage-app.ts'
import { databaseRefusal } from '../database-refusal.ts'
import {
  type Deployed,
  deployTogether,
  type PlannedWrite,
  type ReadDeps,
} from '../deploy/deploy-app.ts'
import type { Deps } from '../deps.ts'
import { clearDeletedSchedules } from '../left-rows.ts'
import { checkUpdates } from './check-updates.ts'
import { storePacks } from './copy-repository.ts'
import { branchOf, type Push, readBranches } from './read-branches.ts'

export type PushDeps = ReadDeps & Pick<Deps, 'passFault'> & Readonly<{ log: Logger }>

const INTERNAL = new AppError('internal', 'internal error. The log of the server has the cause.')

/** Shows the progress to the client, and returns whether git may accept. It logs errors that the client cannot fix. */
export const deployPush = async (deps: PushDeps, push: Push): Promise<boolean> => {
  const { say } = push.proposal
  try {
    await decide(deps, push)
    return true
  } catch (error) {
    const refusal = error instanceof AppError ? { error, isOurs: false } : databaseRefusal(error)
    if (refusal?.isOurs ?? true) deps.log.error('A pushed deployment failed.', { error })
    const { message, details = [] } = refusal?.error ?? INTERNAL
    say(`Refused: ${message}`)
    for (const { path, message: detail } of details) say(`  ${path}: ${detail}`)
    return false
  }
}

/** @throws {AppError} */
const decide = async (deps: PushDeps, push: Push): Promise<void> => {
  const { ws, app, folder, repository, proposal } = push
  const { updates } = proposal
  // the token may have ended while the pack arrived
  await push.admitLate()
  const known = await findRepository(deps.db, ws, app)
  const refs = known?.refs ?? NO_REFS
  checkUpdates(updates, refs)
  const hasMain = (await findApp(deps.db, ws, app)) !== null && refs.has(DEFAULT_BRANCH)
  if (!hasMain && updates.every(({ ref }) => ref !== DEFAULT_BRANCH)) {
    throw unprocessable(
      'The first push must include the branch main: git push <remote> HEAD:main',
      {
        code: 'no_main',
      },
    )
  }
  await checkRefs(folder, repository, proposal)
  const deploys = await readBranches(deps, push)
  const removed = await previewsOf(deps, push)
  const repositoryId = known?.id ?? deps.newId()
  const packs = await keepPacks(deps, push, repositoryId)
  // from here on, a copy without a repository in the database belongs to a failed push
  if (known === null) writeMark(repository, { id: repositoryId, pushId: null })
  const read = { known, repositoryId, packs, pushId: deps.newId(), removed }
  // the push is accepted, whatever becomes of this: the next deployment and the sweep do what is left
  const follow = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      deps.log.warn('A push left schedules behind, which are changed later.', { ws, app, error })
    }
  }
  const write = (planned: PlannedWrite) => accept(deps, { ...push, ...read }, planned)
  const deployed = await deployTogether(deps, deploys, write, { follow })
  for (const one of deployed) sayDeployed(push, one)
  for (const { key } of removed) {
    await follow(() => clearDeletedSchedules(deps, { ws, app: key }))
    proposal.say(`Removed the preview ${key}.`)
  }
  for (const update of updates) {
    if (branchOf(update) === null) proposal.say(`Stored ${update.ref}.`)
  }
}

/**
 * Returns the previews of branches that the push deletes. A branch whose key belongs to another app, or
 * without a preview, has none.
 */
const previewsOf = async (
  { db }: PushDeps,
  { ws, app, proposal }: Push,
): Promise<readonly App[]> => {
  const gone = proposal.updates.filter((update) => isNone(update.new)).map(branchOf)
  if (gone.length === 0) return []
  const previews = await listPreviews(db, ws, app)
  return previews.filter(
    ({ previewBranch }) => previewBranch !== null && gone.includes(previewBranch),
  )
}

const NO_REFS: Refs = new Map()

/** Bytes from which on the client sees the progress. */
const LARGE_BYTES = 8 * MIB

/** Stores the packs of the push. @returns their names */
const keepPacks = (
  deps: PushDeps,
  { ws, repository, proposal: { objects, say } }: Push,
  repositoryId: string,
): Promise<readonly string[]> => {
  // a push of known objects, or one that only deletes, has no separate folder
  if (objects === join(repository, 'objects')) return Promise.resolve([])
  const onBegin = (bytes: number): void => {
    if (bytes >= LARGE_BYTES) say(`Storing ${Math.round(bytes / 1e6)} MB ...`)
  }
  return storePacks(deps, { ws, repositoryId }, { objects, onBegin })
}

type ReadPush = Push &
  Readonly<{
    known: Repository | null
    repositoryId: string
    packs: readonly string[]
    pushId: string
    removed: readonly App[]
  }>

/**
 * Writes the push. If a push to other refs came in between, it follows that one.
 * @returns false if it was overtaken
 * @throws {AppError} unprocessable: the push is out of date
 */
const accept = async (deps: PushDeps, push: ReadPush, planned: PlannedWrite): Promise<boolean> => {
  const { ws, app, actor, proposal, known, repositoryId, packs, pushId, removed } = push
  const { updates } = proposal
  const current = await findRepository(deps.db, ws, app)
  if (current?.id !== known?.id) {
    throw unprocessable('The app was deleted or made again during the push. Push again.', {
      code: 'stale_ref',
    })
  }
  const before = current?.refs ?? NO_REFS
  checkUpdates(updates, before)
  const statements: readonly Statement[] = [
    ...changeRefs({
      ws,
      app,
      repositoryId,
      refs: afterUpdates(before, updates),
      packs,
      pushId,
      follows: current?.pushId ?? null,
      isExpected: planned.isExpected,
    }),
    ...removed.flatMap(({ key }) => deletionOf(deps, { ws, key, actor })),
    ...planned.statements,
  ]
  deps.passFault('push_before_commit')
  try {
    await deps.db.write(statements, { retry: true })
  } catch (error) {
    // if the answer of a write was lost, its second attempt finds itself overtaken
    if (!(error instanceof DatabaseError) || !wasOvertaken(error)) throw error
    return (await findRepository(deps.db, ws, app))?.pushId === pushId
  }
  deps.passFault('push_committed')
  return true
}

const sayDeployed = ({ app, proposal: { say } }: Push, deployed: Deployed): void => {
  const { deploymentId, warnings = [] } = deployed
  const what = deployed.app === app ? `Deployed ${app}` : `Preview ${deployed.app}`
  say(`${what}: ${describe(deployed)}. Deployment ${deploymentId}`)
  for (const { path, message } of warnings) say(`Warning: ${path}: ${message}`)
}

const describe = ({ actions, flows, functions }: Deployed): string =>
  [
    { count: actions.length, what: 'action' },
    { count: flows.length, what: 'flow' },
    { count: functions.length, what: 'function' },
  ]
    .map(({ count, what }) => `${count} ${what}${count === 1 ? '' : 's'}`)
    .join(', ')
