/**
 * The system call filter of a job's process, as the bytes of a BPF program that `bwrap --seccomp` loads. It is
 * built here for the architectures that svc supports, so it needs neither a library nor a compiler.
 */
import { type Architecture, SYSTEM_CALLS } from './system-calls.ts'

export type FilterOptions = Readonly<{
  /** Whether the program may start other processes. Jobs may not. */
  processes: boolean
}>

/** `jt` and `jf`: how many instructions to skip if the test is true, and if it is false. */
type Instruction = Readonly<{ code: number; k: number; jt?: number; jf?: number }>

const INSTRUCTION_BYTES = 8
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const ERRNO = 0x00050000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

// offsets in struct seccomp_data; of 64-bit arguments the low half, on little-endian machines
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16
const SECOND_ARGUMENT = 24

/** Marks calls of the x32 interface, which is a second way to reach every call. */
const X32_BIT = 0x40000000
const CLONE_THREAD = 0x00010000
/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const CLONE_NEW = 0x7e020000
/** TIOCSTI puts input into a terminal (CVE-2017-5226); TIOCLINUX does so on a console. */
const TERMINAL_INPUT = [0x5412, 0x541c] as const
/** Unix, IPv4 and IPv6; no netlink, packet, vsock or crypto sockets. */
const SOCKET_FAMILIES = [1, 2, 10] as const

const load = (offset: number): Instruction => ({ code: LOAD, k: offset })
const answer = (k: number): Instruction => ({ code: RETURN, k })
const refuse = (errno: number): Instruction => answer(ERRNO | errno)

/** Runs `then` if the call has this number. Every path through `then` must end in a return. */
const onCall = (number: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: JUMP_IF_EQUAL, k: number, jt: 0, jf: then.length },
  ...then,
]

/** Refuses new namespaces and, unless `processes` is true, everything but threads. */
const cloneRule = (processes: boolean): readonly Instruction[] => [
  load(FIRST_ARGUMENT),
  { code: JUMP_IF_ANY_BIT, k: CLONE_NEW, jt: processes ? 0 : 1, jf: processes ? 1 : 0 },
  ...(processes ? [] : [{ code: JUMP_IF_ANY_BIT, k: CLONE_THREAD, jt: 1, jf: 0 }]),
  refuse(EPERM),
  answer(ALLOW),
]

const noTerminalInput: readonly Instruction[] = [
  load(SECOND_ARGUMENT),
  ...TERMINAL_INPUT.flatMap((request) => onCall(request, [refuse(EPERM)])),
  answer(ALLOW),
]

const onlyKnownFamilies: readonly Instruction[] = [
  load(FIRST_ARGUMENT),
  ...SOCKET_FAMILIES.flatMap((family) => onCall(family, [answer(ALLOW)])),
  refuse(EAFNOSUPPORT),
]

const programFor = (
  architecture: Architecture,
  { processes }: FilterOptions,
): readonly Instruction[] => {
  const calls = SYSTEM_CALLS[architecture]
  return [
    load(ARCHITECTURE),
    { code: JUMP_IF_EQUAL, k: calls.audit, jt: 1, jf: 0 },
    answer(KILL),
    load(NUMBER),
    { code: JUMP_IF_AT_LEAST, k: X32_BIT, jt: 0, jf: 1 },
    refuse(EPERM),
    ...[...calls.refused, ...(processes ? [] : calls.starting)].flatMap((number) =>
      onCall(number, [refuse(EPERM)]),
    ),
    // the flags of clone3 are in memory, which a filter cannot read; on ENOSYS the C library falls back to clone
    ...onCall(calls.clone3, [refuse(ENOSYS)]),
    ...onCall(calls.clone, cloneRule(processes)),
    ...onCall(calls.ioctl, noTerminalInput),
    ...onCall(calls.socket, onlyKnownFamilies),
    answer(ALLOW),
  ]
}

/** @returns the bytes of the program, as the kernel loads it */
export const seccompFilter = (
  architecture: Architecture,
  options: FilterOptions = { processes: false },
): Uint8Array => {
  const program = programFor(architecture, options)
  const view = new DataView(new ArrayBuffer(program.length * INSTRUCTION_BYTES))
  program.forEach(({ code, k, jt = 0, jf = 0 }, index) => {
    const at = index * INSTRUCTION_BYTES
    view.setUint16(at, code, true)
    view.setUint8(at + 2, jt)
    view.setUint8(at + 3, jf)
    view.setUint32(at + 4, k >>> 0, true)
  })
  return new Uint8Array(view.buffer)
}
