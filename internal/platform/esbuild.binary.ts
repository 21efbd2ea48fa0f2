/** Where esbuild's own program is: unpacked from the binary. */
import { unpackCarried } from './carried.ts'

/**
 * @returns the path of its executable
 * @throws {Error} there is no folder to unpack into, or the disk is full
 */
export const findEsbuild = (): string => unpackCarried('esbuild')
