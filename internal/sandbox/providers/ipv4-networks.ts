/** Lists the public IPv4 addresses as networks. */
import { PRIVATE_IPV4, parseNetwork } from '#core/network/special-networks.ts'

const toNumber = (address: string): number =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0)

const toAddress = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')

type Range = Readonly<{ first: number; last: number }>

const rangeOf = (first: number, bits: number): Range => ({
  first,
  last: first + 2 ** (32 - bits) - 1,
})

const privateRanges: readonly Range[] = PRIVATE_IPV4.map((text) => {
  const { address, bits } = parseNetwork(text)
  return rangeOf(toNumber(address), bits)
})

/** Halves the space until each part is entirely public or entirely private. */
const split = (first: number, bits: number): readonly string[] => {
  const { last } = rangeOf(first, bits)
  const touching = privateRanges.filter((range) => range.first <= last && range.last >= first)
  if (touching.length === 0) return [`${toAddress(first)}/${bits}`]
  if (touching.some((range) => range.first <= first && range.last >= last)) return []
  return [...split(first, bits + 1), ...split(first + 2 ** (31 - bits), bits + 1)]
}

/** All IPv4 networks that are not private. */
export const publicIpv4Networks = (): readonly string[] => split(0, 0)
