import { describe, expect, test } from 'vitest'
import {
  adminSession,
  apiKey,
  apiToken,
  customerKey,
  memberSession,
  superAdminSession,
} from '../../../test/support/principals.ts'
import {
  holdsScope,
  isOperator,
  mayAdministerInstance,
  mayCancel,
  mayChooseQueue,
  mayCreateAdminToken,
  mayListOwnWorkspaces,
  maySeeInput,
  requireQueueChoice,
  requireReadableJob,
} from './policy.ts'
import type { Principal } from './principal.ts'

const ADA = 'ada@example.com'
const adminToken = apiToken('root@example.com', { scopes: ['*'], isAdmin: true })
const superToken = apiToken('root@example.com', { scopes: ['*'], isSuperAdmin: true })
const narrowSuper = { ...superAdminSession('root@example.com'), scopes: ['jobs:read'] as const }

const CALLERS = {
  member: memberSession('bob@example.com'),
  creator: memberSession(ADA),
  'token of the creator': apiToken(ADA, { scopes: ['jobs:run'] }),
  admin: adminSession('admin@example.com'),
  'admin token': adminToken,
  'super admin': superAdminSession('root@example.com'),
  'token of a super admin': superToken,
  customer: customerKey('c1'),
  'API key': apiKey('ak_1'),
} as const satisfies Readonly<Record<string, Principal>>
type Name = keyof typeof CALLERS

const NAMES = Object.keys(CALLERS) as readonly Name[]
const ADMINS: readonly Name[] = ['admin', 'admin token', 'super admin', 'token of a super admin']
const CREATORS: readonly Name[] = ['creator', 'token of the creator']

/** Names of the callers for whom `rule` holds. */
const whoMay = (rule: (principal: Principal) => boolean): readonly Name[] =>
  NAMES.filter((name) => rule(CALLERS[name]))

describe('access to a single job', () => {
  const job = { createdBy: ADA }

  test('its creator and admins see the input', () => {
    expect(whoMay((caller) => maySeeInput(caller, job))).toEqual([...CREATORS, ...ADMINS])
  })

  test('a customer sees the input of a job that its key created', () => {
    expect(maySeeInput(customerKey('c1'), { createdBy: 'customer:c1' })).toBe(true)
    expect(maySeeInput(customerKey('c2'), { createdBy: 'customer:c1' })).toBe(false)
  })

  test('its creator and admins cancel it', () => {
    expect(whoMay((caller) => mayCancel(caller, job))).toEqual([...CREATORS, ...ADMINS])
  })

  test('a customer cancels nothing, not even its own job', () => {
    expect(mayCancel(customerKey('c1'), { createdBy: 'customer:c1' })).toBe(false)
  })

  test('a customer key reads jobs of its customer', () => {
    const row = { customerId: 'c1' }
    expect(requireReadableJob(customerKey('c1'), row)).toBe(row)
  })

  test.each([
    ['another customer', { customerId: 'c2' }],
    ['no customer', { customerId: null }],
    ['no one, because there is none', null],
  ])('a customer key gets the same refusal for a job of %s', (_, row) => {
    expect(() => requireReadableJob(customerKey('c1'), row)).toThrow(
      expect.objectContaining({ kind: 'forbidden', code: 'customer_key' }),
    )
  })

  test('other callers read every job, and one that does not exist is not found', () => {
    const row = { customerId: 'c1' }
    expect(requireReadableJob(memberSession(ADA), row)).toBe(row)
    expect(() => requireReadableJob(memberSession(ADA), null)).toThrow(
      expect.objectContaining({ kind: 'not_found' }),
    )
  })
})

describe('the options of a run', () => {
  test('are open to all but customers', () => {
    expect(whoMay(mayChooseQueue)).toEqual(NAMES.filter((name) => name !== 'customer'))
  })

  test.each([{ tag: 'gpu' }, { priority: 0 }])('a customer key is refused with %o', (options) => {
    expect(() => requireQueueChoice(customerKey('c1'), options)).toThrow(
      expect.objectContaining({ code: 'customer_key' }),
    )
    requireQueueChoice(memberSession(ADA), options)
  })

  test('a customer key may leave them out', () => requireQueueChoice(customerKey('c1'), {}))
})

describe('administration', () => {
  test('super admins administer the instance, by token only with the scope *', () => {
    expect(whoMay(mayAdministerInstance)).toEqual(['super admin', 'token of a super admin'])
    expect(mayAdministerInstance(narrowSuper)).toBe(false)
  })

  test('super admins are operators whatever the scopes of the credential', () => {
    expect(whoMay(isOperator)).toEqual(['super admin', 'token of a super admin'])
    expect(isOperator(narrowSuper)).toBe(true)
  })

  test('admins create tokens that act as admin, but not by a token that does not act as one', () => {
    expect(whoMay(mayCreateAdminToken)).toEqual([
      'admin',
      'admin token',
      'super admin',
      'token of a super admin',
    ])
  })

  test('sessions list their workspaces, tokens need workspace:read', () => {
    expect(whoMay(mayListOwnWorkspaces)).toEqual([
      'member',
      'creator',
      'admin',
      'admin token',
      'super admin',
      'token of a super admin',
    ])
    expect(mayListOwnWorkspaces(apiToken(ADA, { scopes: ['workspace:read'] }))).toBe(true)
  })

  test('customer keys and API keys hold no scope', () => {
    expect(holdsScope(customerKey('c1'), 'jobs:read')).toBe(false)
    expect(holdsScope(apiKey('ak_1'), '*')).toBe(false)
  })
})
