/** The values of a git source's form, and the request that they become. Pure. */
import type { Operations, Schemas } from '#sdk/client.ts'
import { isObject } from '../../form/schema-field.ts'

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

export const toRequest = (draft: GitSourceDraft, credentials: Credentials): NewGitSource => {
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

/** Parses a kept draft, as far as it still has this shape. */
export const readDraft = (found: unknown, initial: GitSourceDraft): GitSourceDraft => {
  const text = (name: keyof GitSourceDraft): string => {
    const value = isObject(found) ? found[name] : undefined
    return typeof value === 'string' ? value : initial[name]
  }
  return {
    name: text('name'),
    url: text('url'),
    branch: text('branch'),
    path: text('path'),
    every: text('every'),
    username: text('username'),
    knownHosts: text('knownHosts'),
  }
}
