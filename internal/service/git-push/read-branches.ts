/** Reads the app of each branch that a push brings: main as the app, another branch as a preview of it. */

import type { Actor } from '#core/access/actor.ts'
import type { AppAddress } from '#core/app-address.ts'
import { findAppFolders } from '#core/deploy/app-folders.ts'
import { previewKeyOf } from '#core/deploy/preview.ts'
import { shortCommit } from '#core/deploy/short-commit.ts'
import { type AppError, conflict, unprocessable } from '#core/error.ts'
import type { Proposal, RefUpdate } from '#git/http-backend.ts'
import { DEFAULT_BRANCH, openPushed, type PushFolder } from '#git/push-repository.ts'
import { isNone } from '#git/repository-refs.ts'
import type { ReadApp } from '../apps/read-app.ts'
import type { AdmitLate } from '../deploy/admit-late.ts'
import { countTogether } from '../deploy/apps-together.ts'
import { type Deployable, type ReadDeps, readOneApp } from '../deploy/deploy-app.ts'
import type { DeployRequest } from '../deploy/deploy-plan.ts'
import { readFiles } from '../git-sources/sync-git-source.ts'
import { takeTurn } from '../portions/take-turn.ts'

export type Push = AppAddress &
  Readonly<{
    folder: PushFolder
    repository: string
    actor: Actor
    admitLate: AdmitLate
    proposal: Proposal
  }>

const BRANCH = /^refs\/heads\/(.+)$/

/** The branch of an update; null for a tag. */
export const branchOf = ({ ref }: RefUpdate): string | null => BRANCH.exec(ref)?.[1] ?? null

export type BranchDeploy = Readonly<{ app: ReadApp; request: DeployRequest }>

/**
 * Reads the apps of the branches that a push brings.
 * @throws {AppError} unprocessable: a fault of an app; conflict `app_exists`: two branches have the same key
 */
export const readBranches = async (
  deps: ReadDeps,
  push: Push,
): Promise<readonly BranchDeploy[]> => {
  const { ws, app, actor, admitLate, proposal } = push
  const branches = new Map<string, string>()
  const deploys: BranchDeploy[] = []
  const count = countTogether()
  for (const update of proposal.updates) {
    const branch = branchOf(update)
    const commit = update.new
    if (branch === null || isNone(commit)) continue
    const isMain = update.ref === DEFAULT_BRANCH
    const key = isMain ? app : requirePreviewKey(app, branch)
    const twin = branches.get(key)
    if (twin !== undefined) {
      throw conflict(`"${key}" is the key of branch ${twin} too. Rename the branch ${branch}.`, {
        code: 'app_exists',
      })
    }
    branches.set(key, branch)
    proposal.say(`Deploying ${shortCommit(commit)} to ${ws}/${key} ...`)
    const preview = isMain ? null : { key, branch }
    const { app: read, ...shown } = await readCommit(deps, push, { commit, preview })
    count(read)
    const from = { source: 'git', commit, gitSourceId: null, message: null } as const
    deploys.push({ app: read, request: { ws, actor, admitLate, ...from, ...shown } })
  }
  return deploys
}

/** @throws {AppError} unprocessable */
const requirePreviewKey = (app: string, branch: string): string => {
  const key = previewKeyOf(app, branch)
  if (key !== null) return key
  throw unprocessable(
    `The branch ${branch} gives its preview no key: its name needs a letter or digit, and the app's key at most 60 characters.`,
    { code: 'bad_branch' },
  )
}

type Commit = Readonly<{
  commit: string
  preview: Readonly<{ key: string; branch: string }> | null
}>

/** @throws {AppError} unprocessable */
const readCommit = async (
  deps: ReadDeps,
  { folder, repository, proposal: { objects }, ws, app }: Push,
  { commit, preview }: Commit,
): Promise<Deployable> => {
  const snapshot = await openPushed(folder, repository, { objects, commit })
  if (snapshot.commit !== commit) throw unprocessable('A branch must name a commit.')
  const listed = await snapshot.list('', takeTurn)
  const [root] = findAppFolders(
    listed.map(({ path }) => path),
    1,
  )
  if (root !== '') {
    throw unprocessable('There is no app.yaml or app.json at the top of the repository.', {
      code: 'no_manifest',
    })
  }
  const files = await readFiles(snapshot, listed, '')
  return readOneApp(deps, { ws, files, refuseKey: refuseOther(app) }, preview)
}

const refuseOther =
  (app: string) =>
  (key: string): AppError | null =>
    key === app
      ? null
      : unprocessable(`The manifest has the key "${key}", not "${app}".`, { code: 'wrong_key' })
