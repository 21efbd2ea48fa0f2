/**
 * Finds what a person probably meant, if the server did not find the name that they typed. The lists are read with the caller's
 * own token, so a name that it may not see is never suggested.
 */
import { z } from 'zod'
import { nearestTo } from '#core/edit-distance.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import type { Answer } from './exchange.ts'

const refusal = z.looseObject({ error: z.string(), code: z.string() })
const list = z.looseObject({ items: z.array(z.looseObject({ key: z.string() })) })

/** The longest list that is read. */
const MAX_NAMES = 500

type PathOf = (app: string) => string
const actionsOf: PathOf = (app) => `/apps/${encodeURIComponent(app)}/actions`
const flowsOf: PathOf = (app) => `/flows?limit=${MAX_NAMES}&app=${encodeURIComponent(app)}`

type Place = Readonly<{
  /** The typed name is its first group; the app, if there is one, its second. */
  sentence: RegExp
  /** Path of the list below `/api/w/{ws}`. */
  path: PathOf
  /** Where names of another kind are, and the hint for one of them. */
  other?: Readonly<{ path: PathOf; hint: (typed: string) => string }>
}>

const PLACES: Readonly<Record<string, Place>> = {
  app_not_found: {
    sentence: /^App "([^"]*)" not found\.$/,
    path: () => `/apps?limit=${MAX_NAMES}`,
  },
  action_not_found: {
    sentence: /^Action "([^"]*)" of app "([^"]*)" not found\.$/,
    path: actionsOf,
    other: { path: flowsOf, hint: (typed) => `"${typed}" is a flow: \`svc flows run\` starts it.` },
  },
  flow_not_found: {
    sentence: /^Flow "([^"]*)" of app "([^"]*)" not found\.$/,
    path: flowsOf,
    other: { path: actionsOf, hint: (typed) => `"${typed}" is an action: \`svc run\` runs it.` },
  },
}

/**
 * Returns a sentence about what the person probably meant: a name of another kind, or the most similar name. Undefined if there
 * is none, or the caller may not list them.
 * @param read reads a path below `/api/w/{ws}`
 */
export const nameHint = async (
  { text }: Answer,
  read: (path: string) => Promise<Answer>,
): Promise<string | undefined> => {
  const { success, data } = refusal.safeParse(parseJsonOrNull(text))
  const place = success ? PLACES[data.code] : undefined
  const [, typed, app = ''] = place?.sentence.exec(data?.error ?? '') ?? []
  if (place === undefined || typed === undefined) return undefined
  const namesAt = async (path: PathOf): Promise<readonly string[]> => {
    const found = list.safeParse(parseJsonOrNull((await read(path(app))).text))
    return found.success ? found.data.items.map(({ key }) => key) : []
  }
  const { other, path } = place
  if (other !== undefined && (await namesAt(other.path)).includes(typed)) return other.hint(typed)
  const meant = nearestTo(typed, await namesAt(path))
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}
