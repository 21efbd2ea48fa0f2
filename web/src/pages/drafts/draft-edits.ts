/** Unsaved changes of a draft, which are applied to the files on the server. Pure. */

import type { Files } from '../../draft/starter-files.ts'
import { isObject } from '../../form/schema-field.ts'

/** Texts by path; null if the file was removed. */
export type Edits = Readonly<Record<string, string | null>>

export const NO_EDITS: Edits = {}

export const withEdits = (saved: Files, edits: Edits): Files =>
  Object.fromEntries(
    Object.entries({ ...saved, ...edits }).flatMap(([path, text]) =>
      text === null ? [] : [[path, text]],
    ),
  )

/** Adds changes, and drops edits that equal the saved text. */
export const edit = (saved: Files, edits: Edits, changes: Edits): Edits =>
  Object.fromEntries(
    Object.entries({ ...edits, ...changes }).filter(([path, text]) =>
      text === null ? Object.hasOwn(saved, path) : saved[path] !== text,
    ),
  )

export const rename = (
  saved: Files,
  edits: Edits,
  { from, to }: Readonly<{ from: string; to: string }>,
): Edits => edit(saved, edits, { [from]: null, [to]: withEdits(saved, edits)[from] ?? '' })

/** Parses edits that were kept in the browser. */
export const readEdits = (kept: unknown): Edits =>
  isObject(kept)
    ? Object.fromEntries(
        Object.entries(kept).flatMap(([path, text]) =>
          typeof text === 'string' || text === null ? [[path, text]] : [],
        ),
      )
    : NO_EDITS
