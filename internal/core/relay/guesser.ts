/**
 * Who guesses at codes, as far as an address tells: over IPv6 everybody has a network of 2^64 addresses, so its first half
 * counts as one.
 */
const GROUPS = 8
const NETWORK_GROUPS = 4

const expand = (address: string): readonly string[] => {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  // what is left out between them; an IPv4 ending takes two groups, but never of the first four
  const missing = Math.max(0, GROUPS - before.length - after.length)
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
}

/** @param address as the socket tells it; null where there is none */
export const guesserOf = (address: string | null): string => {
  if (address === null) return 'unknown'
  const [plain = ''] = address.split('%')
  if (!plain.includes(':') || plain.includes('.')) return plain
  const groups = expand(plain.toLowerCase()).slice(0, NETWORK_GROUPS)
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')
}
