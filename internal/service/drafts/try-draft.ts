/**
 * Tries a draft without deploying it: the content of the editor becomes a preview of the app that belongs to one person. Its
 * actions run like those of every app, with the same limits and confinement, and its jobs have its key. It has no schedules,
 * webhooks, events or functions, so that only calls of its actions start it.
 */
import { createHash } from 'node:crypto'
import { toTrial, trialOf } from '#core/deploy/preview.ts'
import type { ErrorDetail } from '#core/error.ts'
import { hasDraft } from '#store/apps/drafts.ts'
import { readApp } from '../apps/read-app.ts'
import type { AdmitLate } from '../deploy/admit-late.ts'
import { deployTogether, toOne } from '../deploy/deploy-app.ts'
import { deployPolicyOf } from '../deploy/deploy-policy.ts'
import { packagesOfApp } from '../packages/packages-of-app.ts'
import {
  checkDraftSize,
  type DraftAct,
  type DraftDeployDeps,
  type DraftWithFiles,
  readDraftFiles,
  refuseOtherKey,
  requireDraft,
} from './manage-draft.ts'

export type Trial = Readonly<{
  /** The key of the preview. */
  app: string
  deploymentId: string
  actions: readonly string[]
  warnings?: readonly ErrorDetail[]
}>

/**
 * Deploys files as the caller's preview of the draft; the draft stays as it was saved.
 * @throws {AppError} not_found: no draft; unprocessable: manifest or code, with each fault; too_large; conflict; unavailable
 */
export const tryDraft = async (
  deps: DraftDeployDeps,
  { ws, app, actor, admitLate }: DraftAct & Readonly<{ admitLate: AdmitLate }>,
  files: DraftWithFiles['files'],
): Promise<Trial> => {
  await checkDraftSize(files)
  const own = await readDraftFiles(deps, { ws, app }, files)
  const policy = await deployPolicyOf(deps, ws)
  const read = await readApp(deps, {
    ws,
    files: own,
    policy,
    fetchPackages: () => packagesOfApp(deps, ws, own),
    refuseKey: refuseOtherKey(app),
  })
  const person = actor.identity
  const hash = createHash('sha256').update(`${app}\n${person}`).digest('hex')
  const { key, branch } = trialOf(app, { person, hash })
  const trial = { ...read, functions: null, manifest: toTrial(read.manifest, key) }
  const request = {
    ws,
    actor,
    admitLate,
    source: 'draft',
    commit: null,
    gitSourceId: null,
    message: null,
    preview: { of: app, branch },
    auditedAs: 'draft.tried',
  } as const
  const deployed = await deployTogether(
    deps,
    [{ app: trial, request }],
    async ({ statements }) => {
      if (statements.length === 0) return true
      const [inserted] = await deps.db.write(statements, { retry: true })
      if (inserted?.changes !== 1) await requireDraft(deps, ws, app)
      return true
    },
    { isStill: hasDraft(ws, app) },
  )
  return toOne(deployed)
}
