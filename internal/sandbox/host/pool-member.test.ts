import { expect, it } from 'vitest'
import { NO_SOCKETS } from '../linux/socket-memory.ts'
import { createMember, isUsedUp, MAX_JOBS, type Member } from './pool-member.ts'
import type { GuestProcess } from './process.ts'

const guest: GuestProcess = {
  pid: null,
  isHidden: false,
  disk: { isTouched: () => false, isOverfull: () => false, memoryBytes: () => 0, isSlow: false },
  sockets: NO_SOCKETS,
  egress: null,
  ready: new Promise(() => undefined),
  ended: new Promise(() => undefined),
  runtimePid: () => null,
  alive: () => true,
  listen: () => undefined,
  setFrameLimit: () => undefined,
  send: () => undefined,
  deliver: async () => undefined,
  hold: () => () => undefined,
  kill: () => undefined,
}

const memberAfter = (jobs: number): Member =>
  Object.assign(createMember(guest, { memoryMb: 128, network: null }, { count: 10 }), { jobs })

it('replaces a process after a number of jobs', () => {
  expect(isUsedUp(memberAfter(MAX_JOBS - 1))).toBe(false)
  expect(isUsedUp(memberAfter(MAX_JOBS))).toBe(true)
})
