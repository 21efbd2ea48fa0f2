type Bytes = Uint8Array<ArrayBuffer>

/** Returns what is kept of the next part of a log. */
export type LogTail = (part: Bytes) => Bytes

/**
 * Leaves out the first `skip` bytes of what it is given, in parts. The tail begins at the first byte that is not a continuation
 * byte of UTF-8, whose first bits are 10.
 */
export const createTail = (skip: number): LogTail => {
  let left = skip
  let isBegun = skip <= 0
  return (part) => {
    if (isBegun) return part
    let start = Math.min(left, part.length)
    left -= start
    while (left === 0 && start < part.length && ((part[start] ?? 0) & 0xc0) === 0x80) start += 1
    isBegun = start < part.length
    return part.subarray(start)
  }
}
