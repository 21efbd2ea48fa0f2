/** The values of a git source's form, and the request that they become. Pure. */
import type { Operations, Schemas } from '#sdk/client.ts'
import { isObject } from '../../ui/json-object.ts'

export type NewGitSource = Operations['post']['/git-sources']['args'][0]['body']
export type GitAuth = NewGitSource['auth']

/** The fields that may be kept in the browser. None of them is secret. */
export type GitSourceDraft = Readonly<{
  name: string
  url: string
  branch: string
  path: string
  /** Seconds between syncs. Empty means off. */
  every: string
  username: string
  knownHosts: string
}>

export type Credentials = Readonly<{
  /** `keep` leaves the stored ones. */
  kind: 'keep' | 'none' | 'token' | 'ssh_key'
  secret: string
}>

export const draftOf = (known: Schemas['GitSource'] | null): GitSourceDraft => ({
  name: known?.name ?? '',
  url: known?.url ?? '',
  branch: known?.branch ?? '',
  path: known?.path ?? '',
  every: String(known?.auto_sync_s ?? ''),
  username: '',
  knownHosts: '',
})

/** Undefined leaves the stored credentials. */
export const toAuth = (
  { kind, secret }: Credentials,
  { username, knownHosts }: GitSourceDraft,
): GitAuth | undefined => {
  switch (kind) {
    case 'keep':
      return
    case 'none':
      return null
    case 'token':
      return { type: 'token', token: secret.trim(), ...(username === '' ? {} : { username }) }
    case 'ssh_key':
      return {
        type: 'ssh_key',
        // ssh does not accept a key without a line feed at its end
        private_key: `${secret.trim()}\n`,
        ...(knownHosts.trim() === '' ? {} : { known_hosts: knownHosts }),
      }
  }
}

/** The request that creates a git source, with each field. */
export type GitSourceRequest = Readonly<Required<Omit<NewGitSource, 'auth'>>> &
  Readonly<Pick<NewGitSource, 'auth'>>

export const toRequest = (draft: GitSourceDraft, credentials: Credentials): GitSourceRequest => {
  const auth = toAuth(credentials, draft)
  return {
    name: draft.name.trim(),
    url: draft.url.trim(),
    branch: draft.branch.trim() === '' ? null : draft.branch.trim(),
    path: draft.path.trim(),
    auto_sync_s: draft.every === '' ? null : Number(draft.every),
    ...(auth === undefined ? {} : { auth }),
  }
}

/** Returns the fields of a request that differ from what is stored, so that it undoes no change of another person. */
export const toChanges = (
  { name, url, branch, path, auto_sync_s, auth }: GitSourceRequest,
  known: Schemas['GitSource'],
): Partial<GitSourceRequest> => {
  const stored = toRequest(draftOf(known), { kind: known.has_auth ? 'keep' : 'none', secret: '' })
  return {
    ...(name === stored.name ? {} : { name }),
    ...(url === stored.url ? {} : { url }),
    ...(branch === stored.branch ? {} : { branch }),
    ...(path === stored.path ? {} : { path }),
    ...(auto_sync_s === stored.auto_sync_s ? {} : { auto_sync_s }),
    ...(auth === undefined || auth === stored.auth ? {} : { auth }),
  }
}

/** The fields that were changed here and, since `began`, by another person too, to another value. */
export const conflictsOf = (
  changes: Partial<GitSourceDraft>,
  began: Schemas['GitSource'],
  now: Schemas['GitSource'],
): readonly ConflictField[] => {
  const [before, after] = [draftOf(began), draftOf(now)]
  return CONFLICT_FIELDS.filter(
    (name) =>
      changes[name] !== undefined && after[name] !== before[name] && after[name] !== changes[name],
  )
}

/** Names a repository after its URL: `https://host/team/shop.git` becomes shop. */
export const nameOfUrl = (url: string): string =>
  url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1) ?? ''

/** Whether the draft may be kept. A URL that contains a password is not kept. */
export const mayBeKept = ({ url }: GitSourceDraft): boolean => !/\/\/[^/]*:[^/]*@/.test(url)

const CONFLICT_FIELDS = ['name', 'url', 'branch', 'path', 'every'] as const
export type ConflictField = (typeof CONFLICT_FIELDS)[number]

const FIELDS = [...CONFLICT_FIELDS, 'username', 'knownHosts'] as const

/** Parses the kept fields, those that were changed, as far as they still have this shape. */
export const readChanges = (found: unknown): Partial<GitSourceDraft> =>
  Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = isObject(found) ? found[name] : undefined
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
