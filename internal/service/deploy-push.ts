/** Decides whether git accepts a push: the default branch is deployed first, and a deployment that fails refuses the push. */
import type { Actor } from '#core/actor.ts'
import { findAppFolders } from '#core/app-folders.ts'
import { AppError, unprocessable } from '#core/error.ts'
import type { Proposal, RefUpdate } from '#git/http-backend.ts'
import {
  DEFAULT_BRANCH,
  markRepository,
  openPushed,
  type PushFolder,
  type RepositoryName,
  readRefs,
} from '#git/push-repository.ts'
import { findApp } from '#store/apps.ts'
import { type Deployed, deployApp, type ReadDeps } from './deploy-app.ts'
import { readFiles } from './sync-git-source.ts'

export type Push = RepositoryName &
  Readonly<{ folder: PushFolder; repository: string; actor: Actor; proposal: Proposal }>

const NONE = /^0+$/
const REF = /^refs\/(?:heads|tags)\//

/** Shows the progress to the client, and returns whether git may accept. @throws any error that is not the client's to repair */
export const deployPush = async (deps: ReadDeps, push: Push): Promise<boolean> => {
  const { say } = push.proposal
  try {
    await decide(deps, push)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) {
      say('Refused: internal error. The log of the server has the cause.')
      throw error
    }
    say(`Refused: ${error.message}`)
    for (const { path, message } of error.details ?? []) say(`  ${path}: ${message}`)
    return false
  }
}

/** @throws {AppError} */
const decide = async (deps: ReadDeps, push: Push): Promise<void> => {
  const { folder, repository, proposal, ws, app } = push
  const { updates } = proposal
  const refs = await readRefs(folder, repository)
  for (const update of updates) checkUpdate(update, refs.get(update.ref) ?? null)
  const main = updates.find(({ ref }) => ref === DEFAULT_BRANCH)
  if (main !== undefined) return deployMain(deps, push, main.new)
  if ((await findApp(deps.db, ws, app)) === null || !refs.has(DEFAULT_BRANCH)) {
    throw unprocessable('The first push must bring the branch main: git push <remote> HEAD:main', {
      code: 'no_main',
    })
  }
  proposal.say('Stored. Only the branch main is deployed.')
}

/** @throws {AppError} unprocessable */
const checkUpdate = ({ ref, old, new: next }: RefUpdate, current: string | null): void => {
  if (!REF.test(ref)) {
    throw unprocessable(`${ref} is neither a branch nor a tag.`, { code: 'bad_ref' })
  }
  if ((NONE.test(old) ? null : old) !== current) {
    throw unprocessable(`${ref} has changed since you fetched it. Fetch, then push again.`, {
      code: 'stale_ref',
    })
  }
  if (ref === DEFAULT_BRANCH && NONE.test(next)) {
    throw unprocessable('The branch main is what runs and cannot be deleted. Delete the app.', {
      code: 'default_branch',
    })
  }
}

const deployMain = async (deps: ReadDeps, push: Push, commit: string): Promise<void> => {
  const { ws, app, repository, proposal } = push
  proposal.say(`Deploying ${commit.slice(0, 12)} to ${ws}/${app} ...`)
  const deployed = await deployCommit(deps, push, commit)
  const row = await findApp(deps.db, ws, app)
  if (row === null) throw unprocessable('The app was deleted during the push. Push again.')
  markRepository(repository, markOf(row))
  proposal.say(`Deployed ${app}: ${describe(deployed)}. Deployment ${deployed.deploymentId}`)
}

/** Returns what distinguishes an app from a later one of the same key. */
export const markOf = ({ createdAt }: Readonly<{ createdAt: number }>): string => String(createdAt)

const describe = ({ actions, flows, functions }: Deployed): string =>
  [
    [actions.length, 'actions'],
    [flows.length, 'flows'],
    [functions.length, 'functions'],
  ]
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')

/** @throws {AppError} unprocessable, conflict, unavailable */
const deployCommit = async (
  deps: ReadDeps,
  { folder, repository, proposal: { objects }, ws, app, actor }: Push,
  commit: string,
): Promise<Deployed> => {
  const snapshot = await openPushed(folder, repository, { objects, commit })
  if (snapshot.commit !== commit) throw unprocessable('The branch main must name a commit.')
  const listed = await snapshot.list('')
  const [root] = findAppFolders(listed.map(({ path }) => path))
  if (root !== '') {
    throw unprocessable('There is no app.yaml or app.json at the top of the repository.', {
      code: 'no_manifest',
    })
  }
  return deployApp(deps, {
    ws,
    files: await readFiles(snapshot, listed, ''),
    onlyApp: app,
    source: 'git',
    commit,
    gitSourceId: null,
    message: null,
    actor,
  })
}
