/**
 * Removes the symbol table and the debug sections of an ELF executable, as `strip` does. They are a seventh of Node, and only
 * debuggers read them. Everything that a process maps into memory, and that native modules link to, stays unchanged.
 */

/** Offsets and sizes of the 64-bit format, in bytes (System V ABI, chapters 4 and 5). */
const HEADER = { sectionsAt: 0x28, sectionCount: 0x3c, namesIndex: 0x3e }
const SECTION = { size: 0x40, type: 0x04, flags: 0x08, offset: 0x18, bytes: 0x20 }
const ELF64_LITTLE_ENDIAN = '7f454c460201'
const NOBITS = 8
const ALLOC = 2n

type Section = Readonly<{ isMapped: boolean; end: number }>

const sectionAt = (elf: Buffer, at: number): Section => {
  const bytes =
    elf.readUInt32LE(at + SECTION.type) === NOBITS
      ? 0
      : Number(elf.readBigUInt64LE(at + SECTION.bytes))
  return {
    isMapped: (elf.readBigUInt64LE(at + SECTION.flags) & ALLOC) !== 0n,
    end: Number(elf.readBigUInt64LE(at + SECTION.offset)) + bytes,
  }
}

/**
 * Cuts the file after its last mapped section, and removes the section table, which is not needed to run the program.
 * @throws {Error} the file is not a 64-bit ELF executable, or a mapped section comes after an unmapped one
 */
export const withoutSymbols = (elf: Buffer): Buffer => {
  if (elf.toString('hex', 0, ELF64_LITTLE_ENDIAN.length / 2) !== ELF64_LITTLE_ENDIAN) {
    throw new Error('This Node is not a 64-bit ELF executable.')
  }
  const table = Number(elf.readBigUInt64LE(HEADER.sectionsAt))
  const sections = Array.from({ length: elf.readUInt16LE(HEADER.sectionCount) }, (_, index) =>
    sectionAt(elf, table + index * SECTION.size),
  )
  const end = Math.max(...sections.filter(({ isMapped }) => isMapped).map((each) => each.end))
  const cut = Buffer.from(elf.subarray(0, end))
  cut.writeBigUInt64LE(0n, HEADER.sectionsAt)
  cut.writeUInt16LE(0, HEADER.sectionCount)
  cut.writeUInt16LE(0, HEADER.namesIndex)
  return cut
}
