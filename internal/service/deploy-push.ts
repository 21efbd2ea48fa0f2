/**
 * Decides whether git accepts a push: main is deployed as the app, each other branch as a preview of it, and a deployment that
 * fails refuses the push.
 */
import type { Actor } from '#core/actor.ts'
import { findAppFolders } from '#core/app-folders.ts'
import { AppError, unprocessable } from '#core/error.ts'
import { previewKeyOf } from '#core/preview.ts'
import type { Proposal, RefUpdate } from '#git/http-backend.ts'
import {
  DEFAULT_BRANCH,
  markRepository,
  openPushed,
  type PushFolder,
  type RepositoryName,
  readRefs,
} from '#git/push-repository.ts'
import { findApp, listPreviews } from '#store/apps.ts'
import { type Deployed, deployApp, type ReadDeps } from './deploy-app.ts'
import { deleteApp } from './manage-app.ts'
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

const BRANCH = /^refs\/heads\/(.+)$/

/** Previews come first: when one is refused, the app that runs is as it was. @throws {AppError} */
const decide = async (deps: ReadDeps, push: Push): Promise<void> => {
  const { folder, repository, proposal } = push
  const { updates } = proposal
  const refs = await readRefs(folder, repository)
  for (const update of updates) checkUpdate(update, refs.get(update.ref) ?? null)
  const main = updates.find(({ ref }) => ref === DEFAULT_BRANCH)
  const hasMain = (await findApp(deps.db, push.ws, push.app)) !== null && refs.has(DEFAULT_BRANCH)
  if (main === undefined && !hasMain) {
    throw unprocessable('The first push must bring the branch main: git push <remote> HEAD:main', {
      code: 'no_main',
    })
  }
  for (const { ref, new: commit } of updates) {
    const branch = BRANCH.exec(ref)?.[1]
    if (ref === DEFAULT_BRANCH) continue
    if (branch === undefined) proposal.say(`Stored ${ref}.`)
    else if (NONE.test(commit)) await removePreview(deps, push, branch)
    else await deployPreview(deps, push, { branch, commit })
  }
  if (main !== undefined) await deployMain(deps, push, main.new)
}

type Branch = Readonly<{ branch: string; commit: string }>

/** @throws {AppError} */
const deployPreview = async (
  deps: ReadDeps,
  push: Push,
  { branch, commit }: Branch,
): Promise<void> => {
  const { ws, app, proposal } = push
  const key = previewKeyOf(app, branch)
  if (key === null) {
    throw unprocessable(
      `The branch ${branch} gives its preview no key: its name needs a letter or digit, and the app's key at most 60 characters.`,
      { code: 'bad_branch' },
    )
  }
  proposal.say(`Deploying ${commit.slice(0, 12)} to ${ws}/${key} ...`)
  const deployed = await deployCommit(deps, push, { commit, preview: { key, branch } })
  proposal.say(`Preview ${key}: ${describe(deployed)}. Deployment ${deployed.deploymentId}`)
  sayWarnings(proposal, deployed)
}

/** The branch of another app's key, or one without a preview, has none to remove. */
const removePreview = async (deps: ReadDeps, push: Push, branch: string): Promise<void> => {
  const { ws, app, actor, proposal } = push
  const previews = await listPreviews(deps.db, ws, app)
  const preview = previews.find(({ previewBranch }) => previewBranch === branch)
  if (preview === undefined) return
  await deleteApp(deps, { ws, key: preview.key, actor })
  proposal.say(`Removed the preview ${preview.key}.`)
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
  const deployed = await deployCommit(deps, push, { commit })
  const row = await findApp(deps.db, ws, app)
  if (row === null) throw unprocessable('The app was deleted during the push. Push again.')
  markRepository(repository, markOf(row))
  proposal.say(`Deployed ${app}: ${describe(deployed)}. Deployment ${deployed.deploymentId}`)
  sayWarnings(proposal, deployed)
}

/** Returns what distinguishes an app from a later one of the same key. */
export const markOf = ({ createdAt }: Readonly<{ createdAt: number }>): string => String(createdAt)

const sayWarnings = ({ say }: Push['proposal'], { warnings = [] }: Deployed): void => {
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

type PreviewName = Readonly<{ key: string; branch: string }>

/** @throws {AppError} unprocessable, conflict, unavailable */
const deployCommit = async (
  deps: ReadDeps,
  { folder, repository, proposal: { objects }, ws, app, actor }: Push,
  { commit, preview }: Readonly<{ commit: string; preview?: PreviewName }>,
): Promise<Deployed> => {
  const snapshot = await openPushed(folder, repository, { objects, commit })
  if (snapshot.commit !== commit) throw unprocessable('A branch must name a commit.')
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
    ...(preview === undefined ? {} : { asPreview: preview }),
    source: 'git',
    commit,
    gitSourceId: null,
    message: null,
    actor,
  })
}
