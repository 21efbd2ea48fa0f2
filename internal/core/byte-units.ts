/** Units of memory, in bytes. */
export const MIB = 1_048_576
