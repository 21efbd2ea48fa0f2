/** The actions that a customer may run, as a set of `app/action`. Pure. */
export type Grant = Readonly<{ app: string; action: string }>

export const grantName = ({ app, action }: Grant): string => `${app}/${action}`

export const toGrants = (names: readonly string[]): readonly Grant[] =>
  names.map((name) => {
    const [app = '', action = ''] = name.split('/')
    return { app, action }
  })

/** Sorted, so that equal sets give equal texts. */
export const toText = (names: readonly string[]): string =>
  JSON.stringify([...new Set(names)].sort())

export const fromText = (text: string): readonly string[] => {
  const found: unknown = JSON.parse(text)
  return Array.isArray(found) ? found.filter((name) => typeof name === 'string') : []
}

/** Adds or removes names. */
export const withNames = (
  chosen: readonly string[],
  names: readonly string[],
  isIn: boolean,
): readonly string[] =>
  isIn ? [...new Set([...chosen, ...names])] : chosen.filter((name) => !names.includes(name))

/** What makes `chosen` of `saved`: names with + or - before them. */
export const editsBetween = (
  saved: readonly string[],
  chosen: readonly string[],
): readonly string[] => [
  ...chosen.filter((name) => !saved.includes(name)).map((name) => `+${name}`),
  ...saved.filter((name) => !chosen.includes(name)).map((name) => `-${name}`),
]

/** Applies them to grants that others may have changed since. */
export const withEdits = (saved: readonly string[], edits: readonly string[]): readonly string[] =>
  edits.reduce((chosen, edit) => withNames(chosen, [edit.slice(1)], edit.startsWith('+')), saved)

/** Granted actions that the app no longer has. */
export const goneOf = (
  app: string,
  chosen: readonly string[],
  actions: readonly string[],
): readonly string[] =>
  chosen.filter((name) => name.startsWith(`${app}/`) && !actions.includes(name))
