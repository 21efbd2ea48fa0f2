/** Changes the settings that an admin of the workspace may change [access 9]. */
import type { Actor } from '#core/access/actor.ts'
import { notFound } from '#core/error.ts'
import type { NotifyRule } from '#core/notify/rule.ts'
import { knownSections, type Section } from '#core/sections.ts'
import { findCurrentAction } from '#store/apps/apps.ts'
import { updateNotify } from '#store/notifications.ts'
import type { ContentMatch } from '#store/row-match.ts'
import {
  settingsContent,
  updateHiddenSections,
  updateWorkspace,
  type Workspace,
  type WorkspaceSettings,
} from '#store/workspaces/workspaces.ts'
import { audited } from '../audited.ts'
import { changeAsRead } from '../change-as-read.ts'
import type { Deps } from '../deps.ts'
import { checkAllowedTag } from '../queue/check-tag.ts'
import { requireWorkspace } from './require-workspace.ts'

/** Absent fields stay. */
export type WorkspaceChange = WorkspaceSettings &
  Readonly<{
    /** Which events are reported to whom; an empty list turns notifications off. */
    notify?: readonly NotifyRule[] | undefined
    /** Sections that the console hides in its side bar. */
    hiddenSections?: readonly Section[] | undefined
  }>

export type WorkspaceAct = Readonly<{
  actor: Actor
  change: WorkspaceChange
  /** What the caller has read of the settings. @default anything may be there */
  match?: ContentMatch
}>

/**
 * Changes settings.
 * @throws {AppError} not_found: the workspace, or the error handler's action; forbidden `tag_not_allowed`; precondition_failed
 */
export const changeWorkspace = async (
  deps: Pick<Deps, 'db' | 'newId'>,
  ws: string,
  { actor, change, match = null }: WorkspaceAct,
): Promise<Workspace> => {
  const current = await requireWorkspace(deps, ws)
  const { errorHandler } = change
  if (errorHandler !== undefined && errorHandler !== null) await checkAction(deps, ws, errorHandler)
  if (change.defaultTag !== undefined && change.defaultTag !== current.defaultTag) {
    await checkAllowedTag(deps, ws, change.defaultTag)
  }
  await changeAsRead(deps, { content: settingsContent(ws), match }, (guard) =>
    deps.db.write(
      [
        ...guard,
        ...(change.notify === undefined ? [] : [updateNotify(ws, change.notify)]),
        ...(change.hiddenSections === undefined
          ? []
          : [updateHiddenSections(ws, knownSections(change.hiddenSections))]),
        updateWorkspace(ws, change),
        audited(deps, { ws, actor }, 'workspace.changed', ws),
      ],
      { retry: match === null },
    ),
  )
  return requireWorkspace(deps, ws)
}

const checkAction = async ({ db }: Pick<Deps, 'db'>, ws: string, key: string): Promise<void> => {
  const [app = '', action = ''] = key.split('/')
  if ((await findCurrentAction(db, ws, app, action)) === null) {
    throw notFound(`Action "${key}"`, { code: 'action_not_found' })
  }
}
