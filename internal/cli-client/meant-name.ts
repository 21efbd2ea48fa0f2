/**
 * Finds the name that a person probably meant, if the server did not find the one that they typed. The lists are read with
 * the caller's own token, so a name that it may not see is never suggested.
 */
import { z } from 'zod'
import { nearestTo } from '#core/edit-distance.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import type { Answer } from './exchange.ts'

const refusal = z.looseObject({ error: z.string(), code: z.string() })
const list = z.looseObject({ items: z.array(z.looseObject({ key: z.string() })) })

/** The longest list that is read. */
const MAX_NAMES = 500

type Place = Readonly<{
  /** The typed name is its first group; the app, if there is one, its second. */
  sentence: RegExp
  /** Path of the list below `/api/w/{ws}`. */
  path: (app: string) => string
}>

const PLACES: Readonly<Record<string, Place>> = {
  app_not_found: {
    sentence: /^App "([^"]*)" not found\.$/,
    path: () => `/apps?limit=${MAX_NAMES}`,
  },
  action_not_found: {
    sentence: /^Action "([^"]*)" of app "([^"]*)" not found\.$/,
    path: (app) => `/apps/${encodeURIComponent(app)}/actions`,
  },
  flow_not_found: {
    sentence: /^Flow "([^"]*)" of app "([^"]*)" not found\.$/,
    path: (app) => `/flows?limit=${MAX_NAMES}&app=${encodeURIComponent(app)}`,
  },
}

/**
 * Returns the name that is most alike to the one that was not found; undefined if none is, or the caller may not list them.
 * @param read reads a path below `/api/w/{ws}`
 */
export const meantName = async (
  { text }: Answer,
  read: (path: string) => Promise<Answer>,
): Promise<string | undefined> => {
  const { success, data } = refusal.safeParse(parseJsonOrNull(text))
  const place = success ? PLACES[data.code] : undefined
  const [, typed, app = ''] = place?.sentence.exec(data?.error ?? '') ?? []
  if (place === undefined || typed === undefined) return undefined
  const answer = await read(place.path(app))
  const found = list.safeParse(parseJsonOrNull(answer.text))
  return found.success
    ? nearestTo(
        typed,
        found.data.items.map(({ key }) => key),
      )
    : undefined
}
