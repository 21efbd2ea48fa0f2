import { describe, expect, test } from 'vitest'
import { groupScopes, presetOf, presetScopes, type ScopeEntry } from './scope-groups.ts'

const entry = (scope: string): ScopeEntry => ({ scope, description: `about ${scope}` })
const ALL = ['*', 'apps:read', 'apps:write', 'jobs:read', 'jobs:run', 'flows:run'].map(entry)

describe('scopes to choose from', () => {
  test('are grouped by their noun, in the order of the server', () => {
    const groups = groupScopes(ALL, ['*'])
    expect(groups.map(({ noun, entries }) => [noun, entries.length])).toEqual([
      ['apps', 2],
      ['jobs', 2],
      ['flows', 1],
    ])
  })

  test('are no more than the caller holds', () => {
    const groups = groupScopes(ALL, ['jobs:read', 'apps:read'])
    expect(groups.flatMap(({ entries }) => entries.map(({ scope }) => scope))).toEqual([
      'apps:read',
      'jobs:read',
    ])
  })
})

describe('a kind of token', () => {
  test('takes what it mostly needs, of what the caller holds', () => {
    expect(presetScopes('read', ALL, ['*'])).toEqual(['apps:read', 'jobs:read'])
    expect(presetScopes('read', ALL, ['jobs:read'])).toEqual(['jobs:read'])
    expect(presetScopes('all', ALL, ['*'])).toEqual(['*'])
    expect(presetScopes('all', ALL, ['jobs:read'])).toEqual([])
  })

  test('is known again by its scopes, whatever their order', () => {
    expect(presetOf(['jobs:read', 'apps:read'], ALL, ['*'])).toBe('read')
    expect(presetOf([], ALL, ['*'])).toBe('none')
    expect(presetOf(['apps:write'], ALL, ['*'])).toBeNull()
  })
})
