/** Removes the trials of a draft when the draft is removed. */
import type { AppAddress } from '#core/app-address.ts'
import { isTrialBranch } from '#core/deploy/preview.ts'
import { deleteAppRest, deleteApp as deleteStatement, listPreviews } from '#store/apps/apps.ts'
import type { Statement } from '#store/database.ts'
import type { Deps } from '../deps.ts'

/** Returns statements that delete the trials of an app. Queued and running jobs keep what they pinned. */
export const removeTrials = async (
  { db }: Pick<Deps, 'db'>,
  { ws, app }: AppAddress,
): Promise<readonly Statement[]> =>
  (await listPreviews(db, ws, app))
    .filter(({ previewBranch }) => isTrialBranch(previewBranch))
    .flatMap(({ key }) => [deleteStatement(ws, key), ...deleteAppRest(ws, key)])
