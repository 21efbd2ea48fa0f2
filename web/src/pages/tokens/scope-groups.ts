/** Groups and describes the scopes of GET /api/tokens/scopes for selection. Pure. */
import type { Language } from '../../language/language.ts'
import { KOREAN_SCOPES } from './korean-scopes.ts'

export type ScopeEntry = Readonly<{ scope: string; description: string }>

export type ScopeGroup = Readonly<{ noun: string; entries: readonly ScopeEntry[] }>

export const EVERYTHING = '*'

/** The scope with its description in the reader's language. The server describes scopes in English. */
export const describedIn = (language: Language, entry: ScopeEntry): ScopeEntry => ({
  scope: entry.scope,
  description: (language === 'ko' ? KOREAN_SCOPES[entry.scope] : undefined) ?? entry.description,
})

/** Groups scopes by noun, such as `jobs:read` and `jobs:run`. Scopes that this caller cannot grant are left out. */
export const groupScopes = (
  entries: readonly ScopeEntry[],
  own: readonly string[],
): readonly ScopeGroup[] => {
  const groups = new Map<string, ScopeEntry[]>()
  for (const entry of entries) {
    if (entry.scope === EVERYTHING || !mayGive(own, entry.scope)) continue
    const [noun = ''] = entry.scope.split(':')
    groups.set(noun, [...(groups.get(noun) ?? []), entry])
  }
  return [...groups].map(([noun, found]) => ({ noun, entries: found }))
}

/** Whether the caller may grant a scope. A token never grants what its creator lacks. */
export const mayGive = (own: readonly string[], scope: string): boolean =>
  own.includes(EVERYTHING) || own.includes(scope)

export const PRESETS = ['none', 'read', 'run', 'deploy', 'all'] as const
export type Preset = (typeof PRESETS)[number]

const DEPLOY: readonly string[] = [
  'workspace:read',
  'apps:read',
  'deployments:read',
  'deployments:write',
]
const RUN: readonly string[] = [
  'workspace:read',
  'apps:read',
  'jobs:read',
  'jobs:run',
  'flows:read',
  'flows:run',
]

const WANTED: Readonly<Record<Preset, (scope: string) => boolean>> = {
  none: () => false,
  read: (scope) => scope.endsWith(':read'),
  run: (scope) => RUN.includes(scope),
  deploy: (scope) => DEPLOY.includes(scope),
  all: (scope) => scope === EVERYTHING,
}

/** The scopes that a token of this kind usually needs, limited to those that the caller may grant. */
export const presetScopes = (
  preset: Preset,
  entries: readonly ScopeEntry[],
  own: readonly string[],
): readonly string[] =>
  entries.map(({ scope }) => scope).filter((scope) => WANTED[preset](scope) && mayGive(own, scope))

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((scope) => other.includes(scope))

/** @returns null if the scopes were selected one by one */
export const presetOf = (
  chosen: readonly string[],
  entries: readonly ScopeEntry[],
  own: readonly string[],
): Preset | null =>
  PRESETS.find((preset) => isSame(chosen, presetScopes(preset, entries, own))) ?? null
