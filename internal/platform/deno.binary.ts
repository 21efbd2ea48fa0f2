/** Finds the Deno runtime for jobs: unpacked from the binary. */
import { unpackCarried } from './carried.ts'

/**
 * @returns the path of its executable; the first call on a machine takes half a second
 * @throws {Error} there is no folder for unpacking, or the disk is full
 */
export const findDeno = (): string => unpackCarried('deno')
