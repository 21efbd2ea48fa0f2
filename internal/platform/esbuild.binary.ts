/** Finds esbuild's executable: unpacked from the binary. */
import { unpackCarried } from './carried.ts'

/**
 * @returns the path of its executable
 * @throws {Error} there is no folder for unpacking, or the disk is full
 */
export const findEsbuild = (): string => unpackCarried('esbuild')
