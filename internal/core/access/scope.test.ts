import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ALL_SCOPES,
  allows,
  isGrantedScope,
  isScope,
  SCOPES,
  scopesBeyond,
  scopesOfRole,
} from './scope.ts'

const granted = fc.subarray([...ALL_SCOPES])
const needed = fc.constantFrom(...ALL_SCOPES)

/** The scope list of [access 3.7], word for word. */
const REFERENCE =
  `workspace:read workspace:write members:read members:write tokens:read tokens:write
git_sources:read git_sources:write apps:read apps:write drafts:read drafts:write deployments:read
deployments:write variables:read variables:write resources:read resources:write jobs:read jobs:run
flows:read flows:run flows:resume webhooks:invoke workers:read schedules:read schedules:write
consumers:read consumers:write`.split(/\s+/)

describe('scopes', () => {
  it('are those of the reference, and `*`', () => {
    expect(Object.keys(SCOPES).sort()).toEqual([...REFERENCE].sort())
    expect([...ALL_SCOPES].sort()).toEqual(['*', ...REFERENCE].sort())
  })

  it('know no name that an object inherits, nor a made-up one', () => {
    for (const name of [
      'constructor',
      '__proto__',
      'toString',
      'jobs:*',
      'jobs',
      'JOBS:READ',
      '',
    ]) {
      expect(isScope(name)).toBe(false)
      expect(isGrantedScope(name)).toBe(false)
    }
  })

  it('deny everything when the list is empty', () => {
    fc.assert(fc.property(needed, (scope) => !allows([], scope)))
  })

  it('open everything by `*`, and otherwise exactly what they name', () => {
    fc.assert(
      fc.property(granted, needed, (scopes, scope) => {
        expect(allows(scopes, scope)).toBe(scopes.includes('*') || scopes.includes(scope))
      }),
    )
  })

  it('cannot be handed on by one who does not hold them', () => {
    fc.assert(
      fc.property(granted, granted, needed, (creator, wanted, scope) => {
        fc.pre(scopesBeyond(creator, wanted).length === 0)
        // whatever the new token opens, its creator opens
        expect(!allows(wanted, scope) || allows(creator, scope)).toBe(true)
      }),
    )
  })

  it('of an admin are `*`; of a member the reads, running, approving and drafts', () => {
    expect(scopesOfRole('admin')).toEqual(['*'])
    const member = scopesOfRole('member')
    for (const scope of [
      'jobs:read',
      'tokens:read',
      'jobs:run',
      'flows:run',
      'flows:resume',
    ] as const) {
      expect(allows(member, scope)).toBe(true)
    }
    expect(allows(member, 'drafts:write')).toBe(true)
    for (const scope of ['*', 'tokens:write', 'deployments:write', 'webhooks:invoke'] as const) {
      expect(allows(member, scope)).toBe(false)
    }
  })
})
