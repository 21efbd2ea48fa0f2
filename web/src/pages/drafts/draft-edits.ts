/** Unsaved changes of a draft, which are applied to the files on the server. Pure. */

import type { Files } from '../../draft/starter-files.ts'
import { isObject } from '../../ui/json-object.ts'

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

/** Edits with the version of the draft that they began with, which is its `updated_at`. Null if there are none. */
export type KeptEdits = Readonly<{ base: string | null; edits: Edits }>

/** @returns the text to keep in the browser */
export const keptText = ({ base, edits }: KeptEdits): string =>
  JSON.stringify(Object.keys(edits).length === 0 ? { base: null, edits } : { base, edits })

/** Parses what was kept in the browser. */
export const readKept = (kept: unknown): KeptEdits => {
  const { base, edits } = isObject(kept) ? kept : {}
  return { base: typeof base === 'string' ? base : null, edits: readEdits(edits) }
}

const readEdits = (kept: unknown): Edits =>
  isObject(kept)
    ? Object.fromEntries(
        Object.entries(kept).flatMap(([path, text]) =>
          typeof text === 'string' || text === null ? [[path, text]] : [],
        ),
      )
    : NO_EDITS
