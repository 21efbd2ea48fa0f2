/** Reads what svc takes from an app's `.npmrc`: the registry of a scope, and the variable that holds its token. Pure. */
import { limit } from '../limit.ts'
import { packageFault } from './package-fault.ts'

const MAX_LENGTH = limit('app.npmrc', 16_384, 'characters', 'An `.npmrc` of an app. More: 422.')

export type ScopeRegistry = Readonly<{
  /** Ends with a slash. */
  url: string
  /** The workspace variable with the token; null without authentication. */
  tokenVariable: string | null
}>

/** Registries by scope, such as `@acme`. */
export type Npmrc = ReadonlyMap<string, ScopeRegistry>

const refuse = (line: number, message: string) =>
  packageFault('bad_npmrc', `.npmrc, line ${line}: ${message}`)

const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)

/** The part of an address under which npm keeps its token: without scheme. */
const placeOf = (url: string): string => url.replace(/^https?:/, '')

const SCOPE = /^(@[a-z0-9-~][a-z0-9-._~]*):registry$/i
const TOKEN = /^(\/\/.+):_authToken$/
const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/
const CREDENTIAL = /:?_(?:auth|password)$|:username$|^_authToken$/

type Setting = Readonly<{ line: number; key: string; value: string }>

const readSettings = (text: string): readonly Setting[] =>
  text.split(/\r?\n/).flatMap((line, at) => {
    const end = line.indexOf('=')
    const key = line.slice(0, Math.max(end, 0)).trim()
    if (key === '' || /[;#]/.test(key)) return []
    const value = line.slice(end + 1).trim()
    return [{ line: at + 1, key, value: value.replace(/^(["'])(.*)\1$/, '$2') }]
  })

const readRegistry = ({ line, key, value }: Setting): string => {
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '') {
    return withSlash(url.href)
  }
  throw refuse(line, `${key} is not an http or https address.`)
}

const readToken = ({ line, value }: Setting): string => {
  const [, variable] = REFERENCE.exec(value) ?? []
  if (variable !== undefined) return variable
  throw refuse(
    line,
    `a token is written as $\{NAME}, where NAME is a variable of the workspace. A token in a file would be stored with the sources.`,
  )
}

/** Parses a `.npmrc`. Settings that do not concern the registry of a scope are ignored. @throws {AppError} `bad_npmrc` */
export const parseNpmrc = (text: string): Npmrc => {
  if (text.length > MAX_LENGTH) {
    throw packageFault('bad_npmrc', `.npmrc has more than ${MAX_LENGTH} characters.`)
  }
  const urls = new Map<string, string>()
  const tokens = new Map<string, string>()
  for (const setting of readSettings(text)) {
    const [, scope] = SCOPE.exec(setting.key) ?? []
    const [, place] = TOKEN.exec(setting.key) ?? []
    if (scope !== undefined) urls.set(scope.toLowerCase(), readRegistry(setting))
    else if (place !== undefined) tokens.set(withSlash(place), readToken(setting))
    else if (CREDENTIAL.test(setting.key)) {
      throw refuse(setting.line, 'of all credentials, only :_authToken is supported.')
    }
  }
  return new Map(
    [...urls].map(([scope, url]) => [scope, { url, tokenVariable: tokenOf(url, tokens) }]),
  )
}

/** Returns the token of the longest place that contains the address. */
const tokenOf = (url: string, tokens: ReadonlyMap<string, string>): string | null => {
  const fitting = [...tokens.keys()].filter((place) => placeOf(url).startsWith(place))
  const [longest] = fitting.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? null : (tokens.get(longest) ?? null)
}
