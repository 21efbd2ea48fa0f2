/** Checks whether a caller may give jobs a tag (core/placement/tag-policy.ts), by what is deployed and set now. */

import { forbidden } from '#core/error.ts'
import { findTagRefusal, isTagAllowed, notAllowedHere } from '#core/placement/tag-policy.ts'
import { findCurrentAction } from '#store/apps/apps.ts'
import { findWorkspace } from '#store/workspaces/workspaces.ts'
import type { Deps } from '../deps.ts'

const CODE = 'tag_not_allowed'

type RunTag = Readonly<{
  ws: string
  app: string
  action: string
  tag: string
  /** Whether the caller holds `apps:write`. */
  holdsAppsWrite: boolean
}>

/**
 * Checks the tag of a run. An action that is not deployed passes here, and the start refuses it.
 * @throws {AppError} forbidden `tag_not_allowed`
 */
export const checkRunTag = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app, action, tag, holdsAppsWrite }: RunTag,
): Promise<void> => {
  const [current, workspace] = await Promise.all([
    findCurrentAction(db, ws, app, action, { reuse: true }),
    findWorkspace(db, ws, { reuse: true }),
  ])
  if (current === null || workspace === null) return
  const { definition, tagOverride, defaultTag } = current
  const refusal = findTagRefusal({
    requested: tag,
    ownTags: [definition.tag, tagOverride, defaultTag].filter((own) => own !== null),
    owner: "this action's own",
    allowedTags: workspace.allowedTags,
    holdsAppsWrite,
  })
  if (refusal !== null) throw forbidden(refusal, { code: CODE })
}

/**
 * Checks the tag of all jobs of a flow run.
 * @throws {AppError} forbidden `tag_not_allowed`
 */
export const checkFlowTag = async (
  { db }: Pick<Deps, 'db'>,
  { ws, tag, holdsAppsWrite }: Omit<RunTag, 'app' | 'action'>,
): Promise<void> => {
  const workspace = await findWorkspace(db, ws, { reuse: true })
  if (workspace === null) return
  const { defaultTag, allowedTags } = workspace
  const refusal = findTagRefusal({
    requested: tag,
    ownTags: [defaultTag],
    owner: "this workspace's default",
    allowedTags,
    holdsAppsWrite,
  })
  if (refusal !== null) throw forbidden(refusal, { code: CODE })
}

/**
 * Checks the tag of an override, a requeue, a replay or a default tag, which may be any that the workspace allows.
 * @throws {AppError} forbidden `tag_not_allowed`
 */
export const checkAllowedTag = async (
  { db }: Pick<Deps, 'db'>,
  ws: string,
  tag: string,
): Promise<void> => {
  const allowedTags = (await findWorkspace(db, ws))?.allowedTags ?? null
  if (isTagAllowed(tag, allowedTags)) return
  throw forbidden(notAllowedHere(tag, allowedTags ?? []), { code: CODE })
}
