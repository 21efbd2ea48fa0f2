/** Runs the filter as the kernel does: instruction by instruction, over the number and arguments of a call. */
import { describe, expect, it } from 'vitest'
import { seccompFilter } from './seccomp-filter.ts'
import { ARCHITECTURES, type Architecture, SYSTEM_CALLS } from './system-calls.ts'

type Call = Readonly<{ number: number; first?: number; second?: number; audit?: number }>

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const errno = (number: number): number => 0x00050000 | number
const EPERM = errno(1)

const run = (filter: Uint8Array, { number, first = 0, second = 0, audit = 0 }: Call): number => {
  const view = new DataView(filter.buffer)
  const data = new Map([
    [0, number],
    [4, audit],
    [16, first],
    [24, second],
  ])
  let value = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const [code, k] = [view.getUint16(at * 8, true), view.getUint32(at * 8 + 4, true)]
    const jump = (holds: boolean): void => {
      at += view.getUint8(at * 8 + (holds ? 2 : 3))
    }
    if (code === 0x06) return k
    if (code === 0x20) value = data.get(k) ?? 0
    else if (code === 0x15) jump(value === k)
    else if (code === 0x35) jump(value >= k)
    else if (code === 0x45) jump((value & k) !== 0)
    else throw new Error(`The instruction ${code} is not one of ours.`)
  }
  throw new Error('It has no end.')
}

describe.each(ARCHITECTURES)('the filter for %s', (architecture: Architecture) => {
  const calls = SYSTEM_CALLS[architecture]
  const filter = seccompFilter(architecture)
  const ask = (call: Call, program = filter): number =>
    run(program, { audit: calls.audit, ...call })

  it('refuses each call of the list, and ends what speaks for another machine', () => {
    for (const number of [...calls.refused, ...calls.starting]) expect(ask({ number })).toBe(EPERM)
    expect(ask({ number: 0, audit: 1 })).toBe(KILL)
    expect(ask({ number: 0x40000001 })).toBe(EPERM)
  })

  it('lets ordinary calls through', () => {
    // read, write, mmap, futex and openat of x64; some of the numbers mean other calls on arm64
    for (const number of [0, 1, 9, 202, 222, 257]) {
      if (!calls.refused.includes(number)) expect(ask({ number })).toBe(ALLOW)
    }
  })

  it('lets threads start, and neither processes nor namespaces', () => {
    const thread = 0x003d0f00
    expect(ask({ number: calls.clone, first: thread })).toBe(ALLOW)
    expect(ask({ number: calls.clone, first: 0x11 })).toBe(EPERM)
    expect(ask({ number: calls.clone, first: thread | 0x10000000 })).toBe(EPERM)
    expect(ask({ number: calls.clone, first: 0x40000011 })).toBe(EPERM)
    expect(ask({ number: calls.clone3 })).toBe(errno(38))
  })

  it('lets programs that are for it start processes, and still no namespaces', () => {
    const program = seccompFilter(architecture, { processes: true })
    expect(ask({ number: calls.clone, first: 0x11 }, program)).toBe(ALLOW)
    expect(ask({ number: calls.clone, first: 0x11 | 0x20000000 }, program)).toBe(EPERM)
    for (const number of calls.starting) expect(ask({ number }, program)).toBe(ALLOW)
    for (const number of calls.refused) expect(ask({ number }, program)).toBe(EPERM)
  })

  it('lets sockets of the network and of files be opened, and no others', () => {
    for (const family of [1, 2, 10]) {
      expect(ask({ number: calls.socket, first: family })).toBe(ALLOW)
    }
    for (const family of [16, 17, 38, 40]) {
      expect(ask({ number: calls.socket, first: family })).toBe(errno(97))
    }
  })

  it('allows no input into a terminal', () => {
    expect(ask({ number: calls.ioctl, second: 0x5412 })).toBe(EPERM)
    expect(ask({ number: calls.ioctl, second: 0x541c })).toBe(EPERM)
    expect(ask({ number: calls.ioctl, second: 0x5413 })).toBe(ALLOW)
  })
})
