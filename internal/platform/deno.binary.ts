/** Where the Deno runtime for jobs is: unpacked from the binary. */
import { unpackCarried } from './carried.ts'

/**
 * @returns the path of its executable; the first call on a machine takes half a second
 * @throws {Error} there is no folder to unpack into, or the disk is full
 */
export const findDeno = (): string => unpackCarried('deno')
