import { expect, test } from 'vitest'
import { type CallLoad, mayStartCall } from './call-share.ts'

const LIMITS = { atOnce: 4, most: 16, reserve: 4 }
const QUIET: CallLoad = {
  running: 0,
  workspaces: 1,
  runningOfWorkspace: 0,
  runningOfClient: 0,
  runningOfBoth: 0,
  isPatient: false,
}

test.each<[string, Partial<CallLoad>, boolean]>([
  ['the first call', {}, true],
  ['a fourth one', { running: 3, runningOfWorkspace: 3 }, true],
  ['a fifth one', { running: 4, runningOfWorkspace: 4 }, false],
  ['a fifth one that has waited', { running: 4, runningOfWorkspace: 4, isPatient: true }, true],
  ['more than half', { running: 8, runningOfWorkspace: 8, isPatient: true }, false],
  [
    'more than three quarters of a half for a client who has some',
    { running: 6, runningOfWorkspace: 6, runningOfBoth: 1, isPatient: true },
    false,
  ],
  [
    'the first call of another client then',
    { running: 6, runningOfWorkspace: 6, isPatient: true },
    true,
  ],
  [
    'a second workspace while the first is at its limit',
    { running: 8, workspaces: 2, runningOfClient: 8 },
    true,
  ],
  [
    'more than a third while another workspace has calls',
    { running: 5, workspaces: 2, runningOfWorkspace: 5, isPatient: true },
    false,
  ],
  ['a new workspace on a full node', { running: 16, workspaces: 5 }, true],
  ['one beyond the reserve', { running: 20, workspaces: 9 }, false],
  ['a client that has three quarters', { running: 15, workspaces: 5, runningOfClient: 15 }, false],
])('%s may start: %s', (_, load, may) =>
  expect(mayStartCall(LIMITS, { ...QUIET, ...load })).toBe(may),
)
