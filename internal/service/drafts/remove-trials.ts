/** Removes the trials of a draft when the draft is removed. */
import { isTrialBranch } from '#core/deploy/preview.ts'
import { deleteAppRest, deleteApp as deleteStatement, listPreviews } from '#store/apps/apps.ts'
import type { Statement } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/** Returns statements that delete the trials of an app. Queued and running jobs keep what they pinned. */
export const removeTrials = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app }: Readonly<{ ws: string; app: string }>,
): Promise<readonly Statement[]> =>
  (await listPreviews(db, ws, app))
    .filter(({ previewBranch }) => isTrialBranch(previewBranch))
    .flatMap(({ key }) => [deleteStatement(ws, key), ...deleteAppRest(ws, key)])
