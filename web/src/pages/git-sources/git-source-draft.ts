/** What the form of a git source holds, and what of it is sent. Pure. */
import type { Operations, Schemas } from '#sdk/client.ts'
import { isObject } from '../../form/schema-field.ts'

export type NewGitSource = Operations['post']['/git-sources']['args'][0]['body']
export type GitAuth = NewGitSource['auth']

/** What may be kept in the browser: no secret. */
export type GitSourceDraft = Readonly<{
  name: string
  url: string
  branch: string
  path: string
  /** Seconds; empty is off. */
  every: string
  username: string
  knownHosts: string
}>

export type Credentials = Readonly<{
  /** `keep`: those that are stored. */
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

/** Undefined: what is stored stays. */
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
        // a key without its last line end is none to ssh
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

/** `https://host/team/shop.git` is called shop. */
export const nameOfUrl = (url: string): string =>
  url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1) ?? ''

/** An address may hold a password; such a one is not kept. */
export const mayBeKept = ({ url }: GitSourceDraft): boolean => !/\/\/[^/]*:[^/]*@/.test(url)

/** What was kept, where it is still of this shape. */
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
