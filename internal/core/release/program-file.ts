/** What can be read of a program file before it runs: its platform, and its line in a list of hashes. */

const MAGIC = [0x7f, 0x45, 0x4c, 0x46] as const
const LITTLE_ENDIAN = 1
const OFFSET_OF_ORDER = 5
const OFFSET_OF_MACHINE = 18

/** By the field e_machine of ELF. */
const ARCHES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64' }

/** How much of a file `platformOf` reads, bytes. */
export const HEADER_BYTES = 20

/**
 * Returns the platform of a program as `linux-x64`; null if svc is not made for it, or it is another kind of file.
 * @param header its first bytes
 */
export const platformOf = (header: Uint8Array): string | null => {
  if (header.length < HEADER_BYTES || MAGIC.some((byte, at) => header[at] !== byte)) return null
  if (header[OFFSET_OF_ORDER] !== LITTLE_ENDIAN) return null
  const machine = new DataView(header.buffer, header.byteOffset).getUint16(OFFSET_OF_MACHINE, true)
  const arch = ARCHES[machine]
  return arch === undefined ? null : `linux-${arch}`
}

/** Returns the SHA-256 that a list in the format of sha256sum has for a file, in hexadecimal; null if it has none. */
export const findHash = (sums: string, name: string): string | null => {
  for (const line of sums.split('\n')) {
    const [, hash, file] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line.trimEnd()) ?? []
    if (hash !== undefined && file === name) return hash
  }
  return null
}
