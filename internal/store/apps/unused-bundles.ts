/** Bundles that nothing refers to. */
import type { Statement } from '../database.ts'
import { sql } from '../sql.ts'
import { createUnusedNotes } from './unused-notes.ts'

export const bundleNotes = createUnusedNotes('unused_bundles')

/** Deletes a bundle if its note is a day old and nothing refers to it, and the note. */
export const deleteNotedBundle = (hash: string): readonly Statement[] => [
  sql`DELETE FROM bundles WHERE hash IN (${bundleNotes.oldOf([hash])})
    AND NOT EXISTS (SELECT 1 FROM deployment_actions a WHERE a.bundle_hash = bundles.hash)
    AND NOT EXISTS (SELECT 1 FROM app_functions f WHERE f.bundle_hash = bundles.hash)
    AND NOT EXISTS (SELECT 1 FROM app_function_versions v WHERE v.bundle_hash = bundles.hash)
    AND NOT EXISTS (SELECT 1 FROM function_versions v WHERE v.bundle_hash = bundles.hash)`,
  bundleNotes.deleteOld([hash]),
]
