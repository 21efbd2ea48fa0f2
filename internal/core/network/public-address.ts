/** Whether an address is public. Pure: the block lists of runtimes differ in what they accept as IPv4. */
import {
  NEVER_REACHED,
  PRIVATE_IPV4,
  PRIVATE_IPV6,
  parseNetwork,
  WITH_IPV4,
} from './special-networks.ts'

type Address = Readonly<{ bits: 32 | 128; value: bigint }>

const IPV4_PARTS = 4
const IPV6_GROUPS = 8

const join = (parts: readonly number[], width: number): bigint =>
  parts.reduce((value, part) => (value << BigInt(width)) | BigInt(part), 0n)

const parseIpv4 = (text: string): Address | null => {
  const parts = text.split('.')
  const isPlain =
    parts.length === IPV4_PARTS && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))
  const numbers = parts.map(Number)
  return isPlain && numbers.every((part) => part < 256)
    ? { bits: 32, value: join(numbers, 8) }
    : null
}

const parseIpv6 = (text: string): Address | null => {
  // the URL parser reads every spelling, and refuses a zone
  const host = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`)?.hostname : undefined
  if (host === undefined) return null
  const [head = '', tail] = host.slice(1, -1).split('::')
  const groupsOf = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const first = groupsOf(head)
  const last = groupsOf(tail ?? '')
  const zeros = Array.from({ length: IPV6_GROUPS - first.length - last.length }, () => 0)
  return { bits: 128, value: join([...first, ...zeros, ...last], 16) }
}

const parseAddress = (text: string): Address | null => parseIpv4(text) ?? parseIpv6(text)

type Range = Readonly<{ width: 32 | 128; prefix: bigint; shift: bigint }>

const rangeOf = (text: string): Range => {
  const { address, bits } = parseNetwork(text)
  const parsed = parseAddress(address)
  if (parsed === null) throw new Error(`${text} is not a network.`)
  const shift = BigInt(parsed.bits - (text.includes('/') ? bits : parsed.bits))
  return { width: parsed.bits, prefix: parsed.value >> shift, shift }
}

const CLOSED: readonly Range[] = [...PRIVATE_IPV4, ...PRIVATE_IPV6].map(rangeOf)

const NEVER: readonly Range[] = NEVER_REACHED.map(rangeOf)

const isIn = (address: Address, { width, prefix, shift }: Range): boolean =>
  width === address.bits && address.value >> shift === prefix

/** Whether a text is an address in its plain form: no shortened IPv4, no zone. */
export const isIpAddress = (text: string): boolean => parseAddress(text) !== null

/**
 * @param network `10.0.0.0/8`, or one address
 * @returns false for an address of the other family, or a text that is not an address
 */
export const isInNetwork = (text: string, network: string): boolean => {
  const address = parseAddress(text)
  return address !== null && isIn(address, rangeOf(network))
}

/** @param text as a resolver or the URL parser returns it; false for a text that is not an address, or has a zone */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === null) return false
  return !CLOSED.some((range) => isIn(address, range))
}

/** Returns some bits of a value, of which the lowest has the number `at`. */
const bitsOf = (value: bigint, at: number, count: number): bigint =>
  (value >> BigInt(at)) & ((1n << BigInt(count)) - 1n)

const last = (value: bigint): bigint => bitsOf(value, 0, 32)

type Kind = keyof typeof WITH_IPV4

/** Where the IPv4 addresses are. Those of local prefixes of NAT64 are split around bits 64 to 71 (RFC 6052). */
const IPV4_IN: Readonly<Record<Kind, (value: bigint) => readonly bigint[]>> = {
  // :: and ::1 are addresses of their own
  compatible: (value) => (value > 1n ? [last(value)] : []),
  mapped: (value) => [last(value)],
  translated: (value) => [last(value)],
  nat64: (value) => [last(value)],
  localNat64: (value) => {
    const places = [
      last(value),
      (bitsOf(value, 64, 16) << 16n) | bitsOf(value, 40, 16),
      (bitsOf(value, 64, 8) << 24n) | bitsOf(value, 32, 24),
      bitsOf(value, 24, 32),
    ]
    // places of other lengths are zero, or begin with zeros
    const used = places.filter((place) => place >> 24n > 0n)
    return used.length > 0 ? used : [last(value)]
  },
  teredo: (value) => [bitsOf(value, 64, 32), last(~value)],
  sixToFour: (value) => [bitsOf(value, 80, 32)],
}

const FORMS = (Object.keys(IPV4_IN) as readonly Kind[]).map((kind) => ({
  range: rangeOf(WITH_IPV4[kind]),
  ipv4In: IPV4_IN[kind],
}))

/** The IPv4 addresses that an IPv6 address may lead to. */
const ipv4In = (address: Address): readonly bigint[] =>
  FORMS.find(({ range }) => isIn(address, range))?.ipv4In(address.value) ?? []

/** Whether it is an IPv6 address that leads to an IPv4 address. */
export const containsIpv4 = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== null && ipv4In(address).length > 0
}

/**
 * Whether nothing may reach an address for a caller, even where private addresses are allowed. An address that leads to an IPv4
 * address is judged by that one too. True for a text that is not an address, or has a zone.
 */
export const isNeverReached = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === null) return true
  const judged: readonly Address[] = [
    address,
    ...ipv4In(address).map((value) => ({ bits: 32, value }) as const),
  ]
  return judged.some((one) => NEVER.some((range) => isIn(one, range)))
}
